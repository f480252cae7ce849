# options: --min-confidence possible
"""What may be a number or a tensor, and is used as Python uses numbers, most often is one; what is asked as only tensors
are is none."""
import numbers

import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, warm):
        super().__init__()
        self.warm = warm

    def forward(self, x, limit: int):
        level = x.mean() if self.warm else 0
        if level > limit:  # sync: tensor-truth possible
            return x
        for turn in range(level):
            x = x * f"{level}".count("1")  # sync: host-read possible
        if torch.isfinite(level).all():  # sync: tensor-truth
            return x * float(level)  # sync: host-read possible
        return x


def shown(value):
    if isinstance(value, numbers.Number):
        return f"{value:.4f}"
    return "-"


class Head(nn.Module):
    def forward(self, x):
        return shown([x, x])
