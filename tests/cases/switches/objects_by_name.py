"""Objects that are there already, and classes, are picked by names; a flag in sys.argv is not given by default."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CHECKS = {}


def check(name):
    def keep(cls):
        CHECKS[name] = cls()
        return cls
    return keep


@check("small")
class Small:
    def see(self, x):
        assert x.min() > -10  # sync: tensor-truth


@check("finite")
class Finite:
    def see(self, x):
        assert x.isfinite().all()  # sync: tensor-truth note


class Noisy(nn.Linear):
    def forward(self, x):
        return super().forward(x + torch.randn(x.shape).cuda())  # sync: copy-to-device note


class Trainer:
    def loss(self, x):
        return x.mean()


class Debugger(Trainer):
    def loss(self, x):
        return x[x > 0].mean()  # sync: dynamic-shape note


class Chunked(Trainer):
    def loss(self, x):
        return x.masked_select(x > 1).mean()  # sync: dynamic-shape note


WAYS = {"plain": Trainer, "chunked": Chunked}


def layer(noisy):
    linear = Noisy if noisy else nn.Linear
    return linear(8, 8)


def main(argv, checks="small", noisy=False):
    kind = "plain"
    if "--chunked" in argv:
        kind = "chunked"
    maker = Debugger if "--debug" in sys.argv else Trainer
    trainers = [WAYS[kind](), maker()]
    model = layer(noisy).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for x, y in DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8)), pin_memory=True):
        out = model(x.cuda(non_blocking=True))
        for name in checks.split(","):
            chosen = CHECKS[name]
            chosen.see(out)
        loss = sum(trainer.loss(out) for trainer in trainers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main(sys.argv)
