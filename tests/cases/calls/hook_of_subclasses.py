"""A hook that gives None unless a subclass says otherwise: what a caller in the base class gets is not None for sure."""
from abc import ABC, abstractmethod

import torch


class Updater(ABC):
    def push(self, weights=None):
        if weights is None:
            weights = self.own_weights()
        for _ in range(10):
            self.sync(weights)

    def own_weights(self):
        """Subclasses may have some."""
        return None

    @abstractmethod
    def sync(self, weights):
        ...


class Local(Updater):
    def __init__(self, model):
        self.model = model

    def own_weights(self):
        return self.model.state_dict()

    def sync(self, weights):
        self.model.load_state_dict(weights)


class Remote(Updater):
    def __init__(self, group):
        self.group = group

    def sync(self, weights):
        if weights is None:
            raise ValueError("weights must be given")
        for name in weights:
            self.group.send(name)
        torch.cuda.synchronize()  # sync: explicit-sync


def collect(updater: Updater, steps):
    for _ in range(steps):
        updater.push()


class Quiet:
    """Nobody overrides this one: it is None."""

    def extra(self):
        return None

    def run(self, steps):
        x = torch.ones(3, device="cuda")
        for _ in range(steps):
            x = x + 1
            if self.extra() is not None:
                print(x.sum().item())
        return x


Quiet().run(100)
