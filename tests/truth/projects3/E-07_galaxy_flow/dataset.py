import math

import torch
from torch.utils.data import Dataset

MORPHOLOGY = ["elliptical", "spiral", "edge_on", "ring", "merger"]


class MockGalaxies(Dataset):
    """Single band postage stamps rendered analytically (Sersic-like profiles + PSF + sky noise)."""

    def __init__(self, n=4096, size=16, seed=0, noise=0.02):
        g = torch.Generator().manual_seed(seed)
        lin = torch.linspace(-1, 1, size)
        y, x = torch.meshgrid(lin, lin, indexing="ij")

        def u(lo, hi):
            return (lo + (hi - lo) * torch.rand(n, 1, 1, generator=g))

        label = torch.randint(len(MORPHOLOGY), (n,), generator=g)
        pa, q, re = u(0, math.pi), u(0.5, 1.0), u(0.25, 0.45)
        edge = (label == 2).view(n, 1, 1)
        q = torch.where(edge, 0.3 * q, q)
        cx, cy = u(-0.1, 0.1), u(-0.1, 0.1)

        def rot(cx, cy, pa, q):
            dx, dy = x - cx, y - cy
            xr = dx * pa.cos() + dy * pa.sin()
            yr = (-dx * pa.sin() + dy * pa.cos()) / q
            return xr, yr

        xr, yr = rot(cx, cy, pa, q)
        r = torch.sqrt(xr ** 2 + yr ** 2 + 1e-4)
        phi = torch.atan2(yr, xr)
        sersic = lambda r, re, k: torch.exp(-1.68 * ((r / re).pow(k) - 1)).clamp(max=3.0) / 3.0

        ell = sersic(r, re, 0.5)
        disc = sersic(r, 1.3 * re, 1.0)
        arms = 0.5 + 0.5 * torch.cos(2 * phi - u(5, 8) * r)
        spiral = 0.35 * ell + disc * arms
        ring = torch.exp(-((r - 1.5 * re) / 0.12) ** 2) + 0.6 * torch.exp(-(r / 0.12) ** 2)
        xr2, yr2 = rot(cx + u(0.3, 0.5), cy + u(-0.4, 0.4), u(0, math.pi), u(0.5, 1.0))
        merger = ell + 0.8 * sersic(torch.sqrt(xr2 ** 2 + yr2 ** 2 + 1e-4), 0.6 * re, 0.7)

        stack = torch.stack([ell, spiral, disc, ring, merger], dim=1)
        img = stack[torch.arange(n), label]
        img = torch.arcsinh(3 * img * u(0.8, 1.2)) / math.asinh(4.0)
        img = img + noise * torch.randn(n, size, size, generator=g)
        self.images = (img.clamp(0, 1) * 2 - 1).unsqueeze(1)
        self.labels = label

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x = self.images[i]
        k = int(torch.randint(4, ()))
        x = torch.rot90(x, k, (-2, -1))
        return x, self.labels[i]
