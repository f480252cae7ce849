"""Synthetic glyph-like 32x32 images in ten classes (strokes, rings, checkers ...)."""
import math

import torch
from torch.utils.data import TensorDataset

N_CLASSES = 10


def _grid(n, size):
    lin = torch.linspace(-1, 1, size)
    y, x = torch.meshgrid(lin, lin, indexing="ij")
    return x.expand(n, -1, -1), y.expand(n, -1, -1)


def make_images(n: int, size: int = 32, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    g = torch.Generator().manual_seed(seed)
    label = torch.randint(0, N_CLASSES, (n,), generator=g)
    u = torch.rand(6, n, 1, 1, generator=g)
    x, y = _grid(n, size)
    ang = (u[0] - 0.5) * 0.8
    cx, cy = 0.4 * (u[1] - 0.5), 0.4 * (u[2] - 0.5)
    xr = (x - cx) * ang.cos() + (y - cy) * ang.sin()
    yr = -(x - cx) * ang.sin() + (y - cy) * ang.cos()
    r = torch.sqrt(xr**2 + yr**2 + 1e-8)
    s = 0.35 + 0.3 * u[3]

    def soft(d):  # signed distance -> coverage
        return torch.sigmoid(-d * 18)

    phi = torch.atan2(yr, xr)
    shapes = torch.stack(
        [
            soft(r - s),
            soft((r - s).abs() - 0.1),
            soft(torch.maximum(xr.abs(), yr.abs()) - s),
            soft(xr.abs() + yr.abs() - 1.2 * s),
            soft(torch.minimum(xr.abs(), yr.abs()) - 0.1) * soft(r - s - 0.1),
            soft(r - s * (1 + 0.35 * torch.cos(5 * phi))),
            soft(r - s * (1 + 0.4 * torch.cos(3 * phi))),
            (0.5 + 0.5 * torch.sin(8 * xr)) * soft(r - s - 0.15),
            (torch.sin(7 * xr) * torch.sin(7 * yr)).gt(0).float() * soft(r - s - 0.15),
            soft((yr - 0.4 * torch.sin(4 * xr)).abs() - 0.12),
        ]
    )
    mask = shapes[label, torch.arange(n)]
    hue = 2 * math.pi * u[4]
    shift = torch.tensor([0.0, 2.0, 4.0]).view(1, 3, 1, 1)
    fg = 0.5 + 0.5 * torch.cos(hue.unsqueeze(1) + shift)
    bg = 0.3 * u[5].unsqueeze(1) * (1 + 0.5 * y.unsqueeze(1))
    img = bg * (1 - mask.unsqueeze(1)) + fg * mask.unsqueeze(1)
    img = img + 0.02 * torch.randn(n, 3, size, size, generator=g)
    return img.clamp(0, 1) * 2 - 1, label


def datasets(n_train: int, n_val: int, size: int = 32):
    return TensorDataset(*make_images(n_train, size, 0)), TensorDataset(*make_images(n_val, size, 1))
