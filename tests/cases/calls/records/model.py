import torch
from torch import nn
from collections import namedtuple

from outputs import Output, Stats

Pair = namedtuple("Pair", ["left", "right"])


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 2)

    def forward(self, x, y=None):
        logits = self.body(x)
        loss = None
        if y is not None:
            loss = nn.functional.cross_entropy(logits, y)
        return Output(logits=logits, loss=loss, extras={"norm": logits.norm()})


def stats(t):
    return Stats(t.mean(), t.numel())


def halves(t):
    a, b = t.chunk(2)
    return Pair(a, b)
