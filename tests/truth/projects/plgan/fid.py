"""FID with a random conv net as the feature extractor: fine for watching the trend."""
import numpy as np
import torch
import torch.nn as nn
from scipy import linalg


class RandomFeatures(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        g = torch.Generator().manual_seed(0)
        self.net = nn.Sequential(nn.Conv2d(3, 16, 5, 2), nn.ReLU(), nn.Conv2d(16, dim, 5, 2), nn.ReLU())
        for p in self.parameters():
            p.data = torch.randn(p.shape, generator=g) * 0.1
            p.requires_grad_(False)

    def forward(self, x):
        return self.net(x).mean((2, 3))


class FIDMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.feats = {"real": [], "fake": []}

    def update(self, feats, kind):
        self.feats[kind].append(feats.detach().cpu().double().numpy())

    def compute(self):
        a = np.concatenate(self.feats["real"])
        b = np.concatenate(self.feats["fake"])
        mu1, mu2 = a.mean(0), b.mean(0)
        s1, s2 = np.cov(a, rowvar=False), np.cov(b, rowvar=False)
        eps = np.eye(len(s1)) * 1e-6
        covmean = linalg.sqrtm((s1 + eps) @ (s2 + eps))
        if np.iscomplexobj(covmean):
            covmean = covmean.real
        return float(((mu1 - mu2) ** 2).sum() + np.trace(s1 + s2 - 2 * covmean))
