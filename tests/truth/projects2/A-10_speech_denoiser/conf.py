class AttrDict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


def to_attr(d):
    return AttrDict({k: to_attr(v) if isinstance(v, dict) else v for k, v in d.items()})


args = to_attr(dict(
    seed=2036, device="cuda", sample_rate=16000, segment=1.0, stride=0.5, num_prints=5, epochs=3, batch_size=16,
    num_workers=2, lr=3e-4, beta2=0.999, loss="l1", stft_loss=True, stft_sc_factor=.5, stft_mag_factor=.5,
    eval_every=1, checkpoint=True, checkpoint_file="checkpoint.th", best_file="best.th", history_file="history.json",
    remix=True, bandmask=0.2, n_files=dict(train=160, valid=32, test=8),
    demucs=dict(chin=1, chout=1, hidden=24, max_hidden=192, causal=True, glu=True, depth=4, kernel_size=8, stride=4,
                growth=2, resample=1, normalize=True, floor=1e-3),
))
