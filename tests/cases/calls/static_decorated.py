"""A static method takes no receiver, whatever its decorator puts around it."""
from functools import lru_cache, wraps

import torch
from torch import nn


def cached(size):
    def decorate(func):
        kept = lru_cache(size)(func)

        @wraps(func)
        def call(*args, **kwargs):
            return func(*args, **kwargs) if torch.compiler.is_compiling() else kept(*args, **kwargs)

        return call

    return decorate


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 8, 3)

    @staticmethod
    @cached(32)
    def anchors(shapes, size: float, device, dtype=torch.float32):
        made = [torch.ones(h, w, device=device).to(dtype) * size * 2.0**level for level, (h, w) in enumerate(shapes)]
        return torch.cat([one.reshape(-1) for one in made])

    def forward(self, x):
        found = self.body(x)
        return found.mean() + self.anchors(((2, 2), (4, 4)), 0.05, x.device).sum()


def train(loader):
    model = Detector().cuda()
    for x in loader:
        model(x.cuda(non_blocking=True)).backward()


train([torch.randn(4, 3, 8, 8).pin_memory()])
