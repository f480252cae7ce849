"""What a function takes when its caller gives it, and nobody in sight says whether: told with that, at the level of what runs always."""
import torch
from torch import nn


def exists(value):
    return value is not None


class Codebook(nn.Module):
    def __init__(self, penalty=None):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.penalty = penalty

    def forward(self, x, mask=None, weights=None, scale=None):
        y = self.layer(x)
        if exists(mask):
            y = y[mask]  # sync: dynamic-shape
        if weights is not None:
            y = y * self.weigh(y, weights=weights)
        if not exists(scale):
            y = y / y.std().item()  # sync: host-read
        if self.penalty is not None:
            print(self.penalty(y).item())  # sync: host-read
        return y

    def weigh(self, y, weights=None, shown=None):
        if shown is not None:
            print(y.mean().item())
        return weights.sum().item()  # sync: host-read
