"""Raman-like spectra of mineral mixtures, class = dominant mineral."""
import numpy as np
import torch
from torch.utils.data import Dataset


class RamanSpectra(Dataset):
    def __init__(self, n, n_classes=8, length=256, seed=0, library_seed=11):
        lib = np.random.default_rng(library_seed)
        # peaks of neighbours (2k, 2k+1) are partly shared: hard pairs
        peaks = []
        for k in range(n_classes):
            p = np.stack([lib.uniform(0.05, 0.95, 5), lib.uniform(0.006, 0.02, 5), lib.uniform(0.3, 1.0, 5)], axis=1)
            if k % 2:
                p[:3] = peaks[-1][:3]
            peaks.append(p)
        rng = np.random.default_rng(seed)
        prior = 0.75 ** np.arange(n_classes)
        y = rng.choice(n_classes, n, p=prior / prior.sum())
        ax = np.linspace(0, 1, length)
        x = np.zeros((n, length))
        for i in range(n):
            other = rng.integers(n_classes)
            frac = rng.uniform(0.0, 0.4)
            shift = rng.normal(0, 0.003)
            for cls, w in ((y[i], 1 - frac), (other, frac)):
                mu, sd, h = peaks[cls].T
                gamma = sd[:, None] * rng.uniform(0.9, 1.2)
                jitter = rng.uniform(0.7, 1.3, len(h))
                x[i] += w * ((h * jitter)[:, None] * gamma ** 2 / ((ax - mu[:, None] - shift) ** 2 + gamma ** 2)).sum(0)
            fluor = rng.uniform(0.1, 0.8) * np.exp(-((ax - rng.uniform(0, 1)) / 0.5) ** 2)
            x[i] += fluor + 0.06 * rng.standard_normal(length)
        x = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
        self.x = torch.from_numpy(x).float().unsqueeze(1)
        self.y = torch.from_numpy(y).long()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
