"""What mixins of a trainer ask of the class that they are mixed into."""
from abc import ABC
from typing import Generic, Iterable, Protocol, TypeVar

T = TypeVar("T")


class Steps(Generic[T], Protocol[T]):
    loader: Iterable[T]

    def forward(self): ...

    def make_loader(self): ...

    def report(self, loss): ...


class Loop(Steps[T]):
    def epoch(self):
        for self.batch in self.loader:
            self.batch = [part.to(self.device) for part in self.batch]  # sync: copy-to-device
            loss = self.forward()
            loss.backward()
            self.optimizer.step()
            self.report(loss)


class Base(Steps[T], ABC):
    def __init__(self, model, data, device):
        self.model, self.data, self.device = model.to(device), data, device
        self.loader = []

    def fit(self, epochs):
        for _ in range(epochs):
            self.make_loader()
            self.epoch()

    def report(self, loss):
        print(loss.item())  # sync: host-read
