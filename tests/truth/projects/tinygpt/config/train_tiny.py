# small model, quick to iterate on
eval_interval = 10
eval_iters = 4
log_interval = 2
n_layer = 2
n_head = 2
n_embd = 48
block_size = 48
batch_size = 8
gradient_accumulation_steps = 3
max_iters = 24
lr_decay_iters = 24
warmup_iters = 4
sample_tokens = 40
