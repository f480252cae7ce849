"""What is annotated as a number, a text or an array is that, unless what is passed surely is something else."""
import numpy as np
import torch
from torch import nn


def falsy(flags: np.ndarray):
    return set(range(len(flags))) - set(flags.nonzero()[0])


def update(name: str, count: int, limit: float = 3.0) -> int:
    if count <= 0 or count > limit:
        raise ValueError(name)
    return max(count, 1)


def ratio(total, n) -> float:
    return total / n


class Layer(nn.Module):
    def __init__(self, make):
        super().__init__()
        self.make = make
        self.weight = nn.Parameter(torch.ones(3, 3))

    def forward(self, x, info, options):
        y = x @ self.weight
        n = update("layer", self.make(options), 2.5)
        for i in falsy(self.make(info)):
            y = y + i
        for i in range(n):
            y = y * i
        if ratio(self.make(options), 3) > 1:
            y = -y
        return y
