"""A list of names says which of several run: what it does not hold by default needs another list."""
import os
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HOOKS, LOSSES = {}, {}
NAMES = os.environ.get("CHECKS", "small,large").split(",")


@dataclass
class Config:
    hooks: list = field(default_factory=lambda: ["log"])
    losses: tuple = ("l1", "l2")


def hook(fn):
    HOOKS[fn.__name__] = fn
    return fn


def loss(name):
    def keep(cls):
        LOSSES[name] = cls
        return cls
    return keep


@hook
def log(step, x):
    print(x.mean().item())  # sync: host-read


@hook
def watchdog(step, x):
    if x.max() > 1e3:  # sync: tensor-truth note
        raise FloatingPointError(step)


@loss("l1")
class L1(nn.Module):
    def forward(self, x):
        return x.abs().mean()


@loss("l2")
class L2(nn.Module):
    def forward(self, x):
        return x.square().clamp(max=x.max().item()).mean()  # sync: host-read


@loss("hard")
class Hard(nn.Module):
    def forward(self, x):
        return x[x > 0].mean()  # sync: dynamic-shape note


def small(x):
    assert x.min() > -10  # sync: tensor-truth


def large(x):
    assert x.max() < 10  # sync: tensor-truth


def finite(x):
    assert x.isfinite().all()  # sync: tensor-truth note


CHECKS = {"small": small, "large": large, "finite": finite}


class Trainer:
    def __init__(self, config):
        self.hooks = [HOOKS[name] for name in config.hooks]
        self.losses = {name: LOSSES[name]() for name in config.losses}
        self.checks = {name: CHECKS.get(name) for name in NAMES}

    def step(self, step, x):
        for hook in self.hooks:
            hook(step, x)
        for name, check in self.checks.items():
            check(x)
        loss = sum(f(x) for f in self.losses.values())
        loss.backward()


def main(config=Config()):
    model = nn.Linear(8, 8).cuda()
    trainer = Trainer(config)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for step, (x, y) in enumerate(DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8)), pin_memory=True)):
        optimizer.zero_grad()
        trainer.step(step, model(x.cuda(non_blocking=True)))
        optimizer.step()


main()
