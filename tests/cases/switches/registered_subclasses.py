"""Subclasses register themselves as they are defined; which one trains is named by the environment."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ENV = os.environ.get
METHOD = ENV("TRAIN_METHOD", "mo_co")


def checked(init):
    def checks(self, *given, **named):
        init(self, *given, **named)
    return checks


class Method(nn.Module):
    known = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.__init__ = checked(cls.__init__)
        Method.known[cls.__name__.lower()] = cls

    @staticmethod
    def create(name, *given):
        return Method.known[name](*given)


class SimCLR(Method):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, x):
        z = self.encoder(x)
        return z[z > 0].mean()  # sync: dynamic-shape note


class MoCo(Method):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, x):
        z = self.encoder(x)
        return z.mean() * z.max().item()  # sync: host-read


class Augment:
    ways = {}

    def __init_subclass__(cls, way, **options):
        super().__init_subclass__(**options)
        cls.ways[way] = cls

    def apply(self, x):
        raise NotImplementedError


class Noise(Augment, way="noise"):
    def apply(self, x):
        return x + x.std().item()  # sync: host-read


class Mask(Augment, way="mask"):
    def apply(self, x):
        return x * x.nonzero().size(0)  # sync: dynamic-shape note


def main(way=os.environ.get("WAY", "noise")):
    method = Method.create(METHOD, nn.Linear(8, 8)).cuda()
    augment = Augment.ways[way]()
    optimizer = torch.optim.SGD(method.parameters(), 0.1)
    for x, y in DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8)), pin_memory=True):
        optimizer.zero_grad()
        method(augment.apply(x.cuda(non_blocking=True))).backward()
        optimizer.step()


main()
