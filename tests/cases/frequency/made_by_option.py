"""What only an option makes, or leaves at work, does what it does only then: one of several optimizers that a name picks, a layer of the
program's, a scaler that is told to be off. Where no choice is the usual one, nothing is said."""
import argparse

import torch
from torch import nn


class Noisy(nn.Module):
    def forward(self, x):
        return x + x.mean().item()  # sync: host-read note


class Plain(nn.Module):
    def forward(self, x):
        return x * 2


class Peeking(nn.Module):
    def forward(self, x):
        return x - x.std().item()  # sync: host-read


class Masked(nn.Module):
    def forward(self, x):
        return x[x.sum(1) > 0]  # sync: dynamic-shape


def draw_slowly(x):
    return x * x.mean().item()  # sync: host-read note


def draw(x):
    return x * 2


class Model(nn.Module):
    def __init__(self, kind="plain", optimizer="adam", other=None, slow=False, exact=False):
        super().__init__()
        self.draw = draw_slowly if slow and exact else draw
        self.body = nn.Linear(8, 8)
        if kind == "noisy":
            self.layer = Noisy()
        else:
            self.layer = Plain()
        self.choose(other)
        self.optimizer = self.pick(optimizer)

    def choose(self, other):
        if other == "peeking":
            self.other = Peeking()
        elif other == "masked":
            self.other = Masked()

    def pick(self, name):
        if name == "asgd":
            optimizer = torch.optim.ASGD(self.parameters())
        else:
            optimizer = torch.optim.Adam(self.parameters())
        return optimizer

    def fit(self, count):
        self.cuda()
        for i in range(count):
            loss = self.other(self.layer(self.body(self.draw(torch.randn(4, 8, device="cuda"))))).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()  # sync: library-wait note


class Learner:
    def __init__(self, model, **kwargs):
        self.model = model.cuda()
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)
        self.scaler = torch.amp.GradScaler("cuda", enabled=kwargs.get("fp16", False))

    def fit(self, count):
        for i in range(count):
            loss = self.model(torch.randn(4, 8, device="cuda")).mean()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)  # sync: grad-scaler note
            self.scaler.update()


parser = argparse.ArgumentParser()
parser.add_argument("--fp16", action="store_true")
args = parser.parse_args()
Learner(nn.Linear(8, 8), fp16=args.fp16).fit(1000)
