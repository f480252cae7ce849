"""Both bounds are numbers, or both tensors: neither is read."""
import torch
from torch import nn


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 8)

    def threshold(self, x: torch.Tensor, q=None):
        s = 1.0
        if q is not None:
            s = torch.quantile(x.abs(), q, dim=-1).clamp(min=1.0)
            s = s.view(-1, 1)
        return x.clamp(-s, s) / s

    def forward(self, x, limit):
        x = self.threshold(self.net(x))
        return x.clamp(0, x.mean())  # sync: host-read
