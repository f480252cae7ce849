import math

import torch
from torch.utils.data import Dataset


class BlobFaces(Dataset):
    """toy 'faces': an ellipse, two eyes, a mouth; all randomised, in [-1, 1]"""

    def __init__(self, n=2000, size=32, seed=0):
        self.n, self.size, self.seed = n, size, seed
        ax = torch.linspace(-1, 1, size)
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing='ij')

    def _ellipse(self, cx, cy, rx, ry):
        d = ((self.xx - cx) / rx) ** 2 + ((self.yy - cy) / ry) ** 2
        return torch.sigmoid((1 - d) * 8)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed + i)
        u = torch.rand(12, generator=g).tolist()
        img = torch.stack([torch.full_like(self.xx, v) for v in u[:3]]) * 0.6 - 0.8
        skin = torch.tensor([0.9, 0.7, 0.5]).view(3, 1, 1) * (0.6 + 0.4 * u[3])
        m = self._ellipse(0.2 * (u[4] - 0.5), 0.1, 0.5 + 0.2 * u[5], 0.7)
        img = img * (1 - m) + skin * m
        for sx in (-1, 1):
            e = self._ellipse(sx * (0.2 + 0.1 * u[6]), -0.15, 0.09, 0.09 + 0.06 * u[7])
            img = img * (1 - e) + (-0.9 * e)
        mo = self._ellipse(0, 0.45, 0.2 + 0.1 * u[8], 0.05 + 0.08 * u[9])
        img = img * (1 - mo) + torch.tensor([0.8, -0.5, -0.5]).view(3, 1, 1) * mo
        return img.clamp(-1, 1)
