"""A trainer whose steps its subclasses say: the loop stands here, what waits stands there."""
from abc import ABC, abstractmethod
from typing import Iterator, Protocol

import torch


class Batches(Protocol):
    scale: torch.Tensor

    def split(self, size: int) -> Iterator["Batches"]:
        """Smaller ones, one after another."""
        ...

    def __len__(self) -> int:
        raise NotImplementedError


class Trainer(ABC):
    def __init__(self, model, loader, device):
        self.model = model.to(device)
        self.loader = loader
        self.device = device

    def fit(self, epochs):
        for epoch in range(epochs):
            for batch in self.loader:
                stats = self.train_step(batch)
                self.log(stats)
            self.on_epoch_end(epoch)

    @abstractmethod
    def train_step(self, batch):
        raise NotImplementedError

    @abstractmethod
    def measured(self) -> torch.Tensor:
        """What the subclass measures."""

    def on_epoch_end(self, epoch):
        pass

    def log(self, stats):
        self.last = stats
