"""What a parameter that is called a mask picks is counted on the GPU first; sums of truth values, and truth values times a
number, are numbers: as indices they wait for nothing."""
from typing import Optional

import torch
from torch import Tensor, nn


class Tokens(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.filler = nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor, padding_mask: Optional[Tensor] = None, order: Optional[Tensor] = None):
        x = self.norm(x)
        if padding_mask is not None:
            kept = x[padding_mask]  # sync: dynamic-shape likely
            others = x[~padding_mask]  # sync: dynamic-shape likely
            x = torch.where(padding_mask[..., None], self.filler, x) + kept.mean() - others.mean()
        if order is not None:
            x = x[order]
        return x


def compact(features: Tensor, mask: Tensor):
    position = mask.cumsum(dim=0) - 1
    side = mask * 1
    blank = features.clone()
    blank[mask] = 0.0
    return features[position] + features[side] + blank


def positions(features: Tensor, mask: Tensor):
    placed = torch.cumsum(mask, 0)
    return features[placed.clamp(min=1) - 1]


def mixed(features: Tensor, mask: Tensor):
    row = torch.where(mask, 1, 0)  # is: cuda int likely
    return features[row]


def weighted(losses: Tensor, mask: Tensor):
    return (losses * mask).sum() / mask.sum().clamp(min=1)
