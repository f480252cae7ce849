"""What a library's class or function does only when its user says so: a switch in a constructor that nobody in sight calls, one of a
base class, a field of a record, a value that a condition makes of them. What callers in sight give decides before that."""
from dataclasses import dataclass, field

import torch
from torch import nn


class Base:
    def __init__(self, model, verbose=False, mode="fast"):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)
        self.verbose = verbose
        self.mode = mode


class Learner(Base):
    def __init__(self, model, low_memory=False, fused=True, scaled=False, **kwargs):
        super().__init__(model, verbose=scaled)
        self.low_memory = low_memory
        self.fused = fused and not low_memory
        self.checked = kwargs.get("checked", False)
        self.chosen = "slow" if scaled else "fast"

    def fit(self, epochs, shown=False):
        for i in range(epochs):
            loss = self.model(torch.randn(4, 8, device="cuda")).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if self.low_memory:
                print(loss.item())  # sync: host-read note
            if self.verbose:
                print(loss.item())  # sync: host-read note
            if self.mode == "slow" or self.chosen == "slow":
                print(loss.item())  # sync: host-read note
            if not self.fused:
                print(loss.item())  # sync: host-read note
            if self.checked:
                print(loss.item())  # sync: host-read note
            if shown:
                print(loss.item())  # sync: host-read note
            if self.fused:
                print(loss.item())  # sync: host-read


@dataclass
class Sampler:
    kept: bool = field(default=False)
    drawn: bool = False
    told: bool = True

    def draw(self, model):
        for i in range(1000):
            loss = model(torch.randn(4, 8, device="cuda")).mean()
            if self.kept:
                print(loss.item())  # sync: host-read note
            if self.drawn:
                print(loss.item())  # sync: host-read
            if self.told:
                print(loss.item())  # sync: host-read


class Transport(nn.Module):
    def __init__(self, a=None, b=None):
        super().__init__()
        self.a, self.layer = a, nn.Linear(8, 8)
        self.b = b

    def forward(self, x):
        if self.b is None:
            b = torch.ones(8).to(x.device)  # sync: copy-to-device note
        else:
            b = self.b
        return self.layer(x) * b


def attack(model, x, restarts=False):
    if restarts:
        x = x[x.sum(1) > 0]  # sync: dynamic-shape note
    return model(x)


def train(model, seen, **options):
    net = Transport(b=nn.Parameter(torch.ones(8))).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for i in range(1000):
        loss = attack(net, torch.randn(4, 8, device="cuda"), **options).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: host-read


Sampler(drawn=True).draw(nn.Linear(8, 2).cuda())
