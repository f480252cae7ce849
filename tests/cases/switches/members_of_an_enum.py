"""What runs is chosen by a member of an enumeration, which is a default as good as a text."""
import enum
import os
from enum import Enum, auto

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Steps(enum.Enum):
    UNIFORM = enum.auto()
    LOSS_AWARE = enum.auto()


class Kind(str, Enum):
    MEAN = "mean"
    HARD = "hard"


class Norm(Enum):
    NONE = auto()
    COUNT = auto()


USUAL = Norm.NONE
KIND = Kind(os.environ.get("LOSS_KIND", "mean"))


class Uniform:
    def weigh(self, loss):
        return loss.mean()


class LossAware:
    def weigh(self, loss):
        return loss.topk(int(loss.sum())).values.mean()  # sync: host-read note


class Trainer:
    def __init__(self, model, steps=Steps.UNIFORM, norm=USUAL):
        self.model, self.norm = model, norm
        self.steps = LossAware() if steps is Steps.LOSS_AWARE else Uniform()

    def loss(self, x):
        out = self.model(x).square()
        if self.norm == Norm.COUNT:
            out = out / out.nonzero().size(0)  # sync: dynamic-shape note
        if self.norm is Norm.NONE:
            out = out.clamp(max=out.max().item())  # sync: host-read
        if KIND == Kind.HARD:
            out = out[out > 0]  # sync: dynamic-shape note
        if KIND.value == "mean":
            print(out.mean().item())  # sync: host-read
        return self.steps.weigh(out)


model = nn.Linear(8, 8).cuda()
trainer = Trainer(model)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for x, y in DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8)), batch_size=8, pin_memory=True):
    loss = trainer.loss(x.cuda(non_blocking=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
