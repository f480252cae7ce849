"""An option is followed into the objects and functions that it is handed to; a parameter that nobody in sight gives has its default."""
import argparse
from dataclasses import dataclass
from math import inf

import torch
from torch import nn


@dataclass
class Config:
    verbose: bool = False
    every: int = 25


class Trainer:
    def __init__(self, model, clip, config, debug=False, fused=True):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)
        self.clip = clip
        self.config = config
        self.check_all = debug
        self.fused = fused
        self.warm = False

    def start(self):
        self.warm = True

    def step(self, i, limit=None):
        loss = self.model(torch.randn(4, 8, device="cuda")).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        if self.clip > 0:
            print(loss.item())  # sync: host-read note
        if self.config.verbose:
            print(loss.item())  # sync: host-read note
        if i % self.config.every == 0:
            print(loss.item())  # sync: host-read note certain
        if self.check_all:
            print(loss.item())  # sync: host-read note
        if not self.fused:
            print(loss.item())  # sync: host-read note
        if self.warm:
            print(loss.item())  # sync: host-read
        if limit and i < limit:
            print(loss.item())
        return loss


def norm_of(grads, norm_type=2.0):
    norm_type = float(norm_type)
    if norm_type == inf:
        return max(g.abs().max().item() for g in grads)  # sync: host-read note
    return torch.stack([g.norm(norm_type) for g in grads]).norm(norm_type).item()  # sync: host-read


def train(clip, every=10):
    trainer = Trainer(nn.Linear(8, 2).cuda(), clip, Config())
    trainer.start()
    for i in range(10000):
        trainer.step(i)
        norm_of([p.grad for p in trainer.model.parameters()])


parser = argparse.ArgumentParser()
parser.add_argument("--grad-clip", type=float, default=0.0)
opt = parser.parse_args()
train(opt.grad_clip)
