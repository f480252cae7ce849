"""Histories and records: one keeps tensors, another Python numbers."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F


class History:
    def __init__(self):
        self.values = []
        self.best = None

    def add(self, value):
        self.values.append(value)
        if self.best is None or value < self.best:  # sync: tensor-truth
            self.best = value

    def last(self):
        return self.values[-1]

    def mean(self):
        return sum(self.values) / len(self.values)


@dataclass
class Record:
    step: int
    loss: object


class Namespace:
    def __init__(self, **kwargs):
        for key, value in kwargs.items():
            setattr(self, key, value)


device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
raw, rates = History(), History()
for step in range(1000):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    raw.add(loss.detach())
    rates.add(opt.param_groups[0]["lr"])
    here = Record(step, loss.detach())
    there = Record(step=step, loss=0.5)
    if rates.last() < 1e-6 or there.loss > 3:
        break
    if float(rates.mean()) > 1.0:
        break
    if raw.last() < 1e-6:  # sync: tensor-truth
        break
    if here.loss > 3:  # sync: tensor-truth
        break
