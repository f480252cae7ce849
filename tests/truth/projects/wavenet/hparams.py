# audio
sample_rate = 4000
n_fft = 128
hop_length = 32
n_mels = 20
mu = 256

# training
batch_size = 4
seq_len = hop_length * 20
lr = 1e-3
total_steps = 30
log_every = 5
checkpoint_every = 15
eval_every = 10
gen_frames = 5
ema_decay = 0.99
grad_clip = 1.0
