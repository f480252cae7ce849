import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, width)
        self.register_buffer("seen", torch.zeros(()))

    @property
    def device(self):
        return next(self.parameters()).device

    @property
    def mean_seen(self):
        return self.seen.mean()

    @staticmethod
    def check(x):
        if not torch.isfinite(x).all():  # sync: tensor-truth
            raise ValueError("not finite")
        return x

    @classmethod
    def build(cls, width, **kwargs):
        return cls(width, **kwargs)

    def features(self, x):
        raise NotImplementedError

    def forward(self, x):
        x = self.check(self.features(x))
        self.seen += 1
        return self.proj(x)


class Mixin:
    def clip(self, x):
        limit = x.abs().max().item()  # sync: host-read
        return x.clamp(-limit / 2, limit / 2)


class Net(Mixin, Base):
    def __init__(self, width, depth=2):
        super().__init__(width)
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])

    def features(self, x):
        for block in self.blocks:
            x = block(x)
        return self.clip(x)

    def forward(self, x):
        out = super().forward(x)
        return out


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        keep = x > 0
        x[keep] = self.fc(x)[keep]  # sync: dynamic-shape x2
        return x


class Meter:
    def __init__(self):
        self.total = 0.0

    def __call__(self, value):
        self.total += value.item()  # sync: host-read
