"""Options that a dict display holds, spread over a call: as those of `dict()`, the last entry of a name is what is given,
unless the dict is changed."""
import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self, size, *, dead=2, shown=True, seen=False, told=True):
        super().__init__()
        self.dead = dead
        self.shown = shown
        self.seen = seen
        self.told = told
        self.layer = nn.Linear(size, size)

    def expire(self, x):
        if self.dead == 0:
            return
        print(x.min().item())  # sync: host-read note

    def forward(self, x):
        x = self.layer(x)
        self.expire(x)
        if self.shown:
            print(x.max().item())  # sync: host-read note
        if self.seen:
            print(x.sum().item())  # sync: host-read
        if self.told:
            print(x.mean().item())  # sync: host-read
        return x


class Quantizer(nn.Module):
    def __init__(self, size, dead=0, shown=False, fast=False):
        super().__init__()
        options = {"size": size, "dead": dead, "shown": shown, "seen": False, "told": False}
        if fast:
            options = dict(**options)
        options["told"] = True
        self.codebook = Codebook(**{**options, "seen": True})

    def forward(self, x):
        return self.codebook(x)


model = Quantizer(3).cuda()
for step in range(1000):
    model(torch.ones(3, 3, device="cuda"))
