from __future__ import annotations

import random
from typing import Sequence

import torch
from torch import nn

from .client import Client, LocalUpdate, State


def weighted_average(states: Sequence[State], weights: Sequence[float]) -> State:
    total = float(sum(weights))
    out: State = {}
    for k, ref in states[0].items():
        if ref.is_floating_point():
            out[k] = sum(s[k] * (w / total) for s, w in zip(states, weights))
        else:  # num_batches_tracked
            out[k] = torch.stack([s[k] for s in states]).max()
    return out


class Server:
    """FedAvg with optional server momentum (FedAvgM) and SCAFFOLD bookkeeping."""

    def __init__(self, model: nn.Module, clients: list[Client], fraction: float, momentum: float = 0.0,
                 server_lr: float = 1.0, scaffold: bool = False, seed: int = 0) -> None:
        self.model = model
        self.clients = clients
        self.per_round = max(1, round(fraction * len(clients)))
        self.momentum, self.server_lr = momentum, server_lr
        self.rng = random.Random(seed)
        self.state: State = {k: v.detach().clone() for k, v in model.state_dict().items()}
        self.velocity: State = {}
        self.control: State | None = None
        if scaffold:
            self.control = {k: torch.zeros_like(v) for k, v in model.named_parameters()}

    def select(self) -> list[Client]:
        return self.rng.sample(self.clients, self.per_round)

    @torch.no_grad()
    def aggregate(self, updates: list[LocalUpdate]) -> None:
        avg = weighted_average([u.state for u in updates], [u.n_samples for u in updates])
        trainable = {k for k, _ in self.model.named_parameters()}
        for k, new in avg.items():
            if k not in trainable:
                self.state[k] = new
                continue
            delta = new - self.state[k]
            if self.momentum > 0:
                v = self.velocity.get(k, torch.zeros_like(delta))
                delta = self.velocity[k] = self.momentum * v + delta
            self.state[k] = self.state[k] + self.server_lr * delta
        if self.control is not None:
            for u in updates:
                for k, d in u.delta_control.items():
                    self.control[k] += d / len(self.clients)
