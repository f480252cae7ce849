"""A tuple of annotated parts keeps its positions; a test for another type leaves the alternative open."""
import torch
from torch import Tensor, nn


class Head(nn.Module):
    def forward(self, pair: tuple[Tensor, float], rows: tuple[Tensor, ...], proto: Tensor):
        weight, limit = pair
        weight  # is: cuda likely
        limit  # is: number
        rows[1]  # is: cuda likely
        if isinstance(proto, tuple) and len(proto) == 2:
            proto, extra = proto
        else:
            extra = None
        if extra is not None:
            kept = weight[weight > limit]  # sync: dynamic-shape
            return kept
        return proto
