"""Sides of an isinstance() that no value in sight takes."""
from dataclasses import dataclass
from typing import List

import torch
from torch import nn


@dataclass
class Padded:
    images: torch.Tensor
    sizes: List[int]


class Eraser:
    def __init__(self, value: float = 0.0):
        self.value = value

    def fill(self, shape, device):
        value = self.value
        if isinstance(value, (int, float)):
            return torch.full(shape, value, device=device)
        return torch.tensor(value, device=device)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, batch, scale=1.0):
        if isinstance(batch, (list, torch.Tensor)):
            batch = Padded(torch.stack([x[: int(x.sum())] for x in batch]), [8])
        elif isinstance(batch, str):
            return self.layer(batch.images).sum().item()
        if isinstance(scale, (int, float)):
            return self.layer(batch.images) * scale
        if scale > 1:
            return self.layer(batch.images)
        return batch.images


def apart(x):
    if isinstance(x, Padded):
        return x.images.sum()
    return x.sum().item()  # sync: host-read


def main(steps):
    net = Net().cuda()
    eraser = Eraser(0.5)
    for _ in range(steps):
        batch = Padded(torch.randn(4, 8, device="cuda"), [8, 8])
        batch.images[0] = eraser.fill((8,), "cuda")
        net(batch).mean().backward()
        apart(batch)
        apart(batch.images)


main(100)
