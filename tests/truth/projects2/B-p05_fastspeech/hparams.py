import os
import tempfile

# Dataset
dataset = "ToySpeech"
root = os.path.join(tempfile.gettempdir(), "fs2_toy")
preprocessed_path = os.path.join(root, "preprocessed")
checkpoint_path = os.path.join(root, "ckpt")
synth_path = os.path.join(root, "synth")
log_path = os.path.join(root, "log")
n_utts = 240
n_eval = 24
n_mel_channels = 40
n_bins = 64
f0_min, f0_max = 70.0, 400.0
energy_min, energy_max = 0.0, 8.0

# FastSpeech 2
encoder_layer = 3
encoder_head = 2
encoder_hidden = 128
decoder_layer = 3
decoder_head = 2
decoder_hidden = 128
fft_conv1d_filter_size = 256
fft_conv1d_kernel_size = (9, 1)
encoder_dropout = 0.1
decoder_dropout = 0.1
variance_predictor_filter_size = 128
variance_predictor_kernel_size = 3
variance_predictor_dropout = 0.3
max_seq_len = 600
log_offset = 1.0

# Optimizer
batch_size = 16
epochs = 3
n_warm_up_step = 40
grad_clip_thresh = 1.0
acc_steps = 1
betas = (0.9, 0.98)
eps = 1e-9
weight_decay = 0.0

# Log
log_step = 5
save_step = 20
eval_step = 20
