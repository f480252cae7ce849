import numpy as np
import torch
from torch.utils.data import Dataset

import hparams as hp


def mel_filterbank(n_mels, n_fft, sr):
    def hz2mel(f): return 2595 * np.log10(1 + f / 700.)
    def mel2hz(m): return 700 * (10 ** (m / 2595.) - 1)
    pts = mel2hz(np.linspace(hz2mel(0), hz2mel(sr / 2), n_mels + 2))
    bins = np.floor((n_fft + 1) * pts / sr).astype(int)
    fb = np.zeros((n_mels, n_fft // 2 + 1), dtype=np.float32)
    for i in range(n_mels):
        l, c, r = bins[i], max(bins[i + 1], bins[i] + 1), max(bins[i + 2], bins[i + 1] + 2)
        for k in range(l, min(c, fb.shape[1])):
            fb[i, k] = (k - l) / (c - l)
        for k in range(c, min(r, fb.shape[1])):
            fb[i, k] = (r - k) / (r - c)
    return fb


def melspectrogram(y):
    n = hp.n_fft
    y = np.pad(y, (n // 2, n // 2), mode='reflect')
    frames = np.stack([y[i:i + n] * np.hanning(n) for i in range(0, len(y) - n, hp.hop_length)])
    S = np.abs(np.fft.rfft(frames, axis=1)).astype(np.float32)
    mel = mel_filterbank(hp.n_mels, n, hp.sample_rate).dot(S.T)
    return np.clip((20 * np.log10(np.maximum(1e-5, mel)) + 100) / 100, 0, 1).astype(np.float32)


def synth_voice(rs, seconds):
    """ vowel-ish harmonic sound with vibrato """
    n = int(seconds * hp.sample_rate) // hp.hop_length * hp.hop_length
    t = np.arange(n) / hp.sample_rate
    f0 = rs.uniform(80, 200) * (1 + 0.02 * np.sin(2 * np.pi * 5 * t))
    phase = 2 * np.pi * np.cumsum(f0) / hp.sample_rate
    y = sum(np.sin(k * phase) / k ** rs.uniform(0.8, 2) for k in range(1, 6))
    y *= np.clip(np.sin(2 * np.pi * rs.uniform(1, 3) * t) + 0.7, 0, 1)
    y = y / np.abs(y).max() * 0.9
    return y.astype(np.float32)


class LJToyDataset(Dataset):
    def __init__(self, n, seed=0):
        rs = np.random.RandomState(seed)
        self.wavs = [synth_voice(rs, 0.6) for _ in range(n)]
        self.mels = [melspectrogram(w) for w in self.wavs]

    def __len__(self):
        return len(self.wavs)

    def __getitem__(self, i):
        return self.mels[i], self.wavs[i]


def collate(batch):
    mel_win = hp.seq_len // hp.hop_length
    mels, wavs = [], []
    for mel, wav in batch:
        off = np.random.randint(0, mel.shape[1] - mel_win)
        mels.append(mel[:, off:off + mel_win])
        wavs.append(wav[off * hp.hop_length:(off + mel_win) * hp.hop_length + 1])
    wavs = [np.pad(w, (0, hp.seq_len + 1 - len(w)), 'constant') for w in wavs]
    return torch.from_numpy(np.stack(mels)), torch.from_numpy(np.stack(wavs))
