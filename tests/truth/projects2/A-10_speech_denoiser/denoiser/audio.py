import math
import os
import random
import wave

import numpy as np
import torch
from torch.nn import functional as F


def write_wav(path, x, sr):
    with wave.open(path, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(sr)
        w.writeframes((np.clip(x, -1, 1) * 32767).astype("<i2").tobytes())


def read_wav(path, offset=0, num_frames=-1):
    with wave.open(path, "rb") as w:
        if offset:
            w.setpos(offset)
        n = w.getnframes() - offset if num_frames < 0 else num_frames
        data = np.frombuffer(w.readframes(n), dtype="<i2").astype(np.float32) / 32768
    return torch.from_numpy(data)[None]


def generate_corpus(root, n, sr, seed):
    """Fake vowels: harmonics with formants, gated by syllables; babble-like noise."""
    rng = np.random.default_rng(seed)
    pairs = []
    for i in range(n):
        length = int(sr * rng.uniform(1.0, 2.0))
        t = np.arange(length) / sr
        f0 = rng.uniform(90, 240) * (1 + 0.05 * np.sin(2 * np.pi * rng.uniform(2, 5) * t))
        phase = 2 * np.pi * np.cumsum(f0) / sr
        formants = rng.uniform([300, 900, 2200], [800, 2000, 3200])
        clean = np.zeros(length)
        for h in range(1, 20):
            amp = sum(math.exp(-((h * f0.mean() - f) / 250) ** 2) for f in formants)
            clean += amp * np.sin(h * phase)
        gate = (np.sin(2 * np.pi * rng.uniform(2, 4) * t) > -0.3).astype(float)
        gate = np.convolve(gate, np.ones(400) / 400, mode="same")
        clean = 0.3 * clean * gate / (np.abs(clean).max() + 1e-6)
        noise = rng.normal(0, 1, length)
        noise = np.convolve(noise, rng.normal(0, 1, 16), mode="same")
        noise = 0.05 * noise / (noise.std() + 1e-6) * rng.uniform(0.5, 2)
        c, m = os.path.join(root, "clean_%d.wav" % i), os.path.join(root, "noisy_%d.wav" % i)
        write_wav(c, clean, sr)
        write_wav(m, clean + noise, sr)
        pairs.append((m, c, length))
    return pairs


class NoisyCleanSet:
    def __init__(self, pairs, length=None, stride=None, pad=True):
        self.pairs, self.length, self.stride, self.pad = pairs, length, stride or length, pad
        self.num_examples = []
        for _, _, file_length in pairs:
            if length is None:
                examples = 1
            elif file_length < length:
                examples = 1 if pad else 0
            elif pad:
                examples = int(math.ceil((file_length - self.length) / self.stride) + 1)
            else:
                examples = (file_length - self.length) // self.stride + 1
            self.num_examples.append(examples)

    def __len__(self):
        return sum(self.num_examples)

    def __getitem__(self, index):
        for (noisy, clean, _), examples in zip(self.pairs, self.num_examples):
            if index >= examples:
                index -= examples
                continue
            num_frames, offset = -1, 0
            if self.length is not None:
                offset = self.stride * index
                num_frames = self.length
            x, y = read_wav(noisy, offset, num_frames), read_wav(clean, offset, num_frames)
            if num_frames > 0:
                x = F.pad(x, (0, num_frames - x.shape[-1]))
                y = F.pad(y, (0, num_frames - y.shape[-1]))
            return x, y
        raise IndexError


class Remix(torch.nn.Module):
    """Mixes different noises with clean speech within a given batch"""

    def forward(self, sources):
        noise, clean = sources
        bs, *other = noise.shape
        device = noise.device
        perm = torch.argsort(torch.rand(bs, device=device), dim=0)
        return torch.stack([noise[perm], clean])


class BandMask(torch.nn.Module):
    """Maskes bands of frequencies (in the STFT domain here)."""

    def __init__(self, maxwidth=0.2, n_fft=512):
        super().__init__()
        self.maxwidth, self.n_fft = maxwidth, n_fft

    def forward(self, wav):
        s, b, c, t = wav.shape
        bins = self.n_fft // 2 + 1
        width = random.randint(1, max(1, int(self.maxwidth * bins)))
        low = random.randint(0, bins - width)
        window = torch.hann_window(self.n_fft).to(wav.device)
        spec = torch.stft(wav.reshape(-1, t), self.n_fft, self.n_fft // 4, window=window, return_complex=True)
        mask = torch.ones(bins, 1)
        mask[low:low + width] = 0
        spec = spec * mask.to(wav.device)
        out = torch.istft(spec, self.n_fft, self.n_fft // 4, window=window, length=t)
        return out.reshape(s, b, c, t)
