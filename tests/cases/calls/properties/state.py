"""Attributes that are functions: property, cached_property, a setter, one made of another."""
from functools import cached_property

import torch


class State:
    def __init__(self, model, batch):
        self.model, self.batch, self._scale = model, batch, torch.ones((), device="cuda")

    @property
    def device(self):
        return next(self.model.parameters()).device

    @property
    def loss(self):
        return self.model(self.batch.to(self.device)).mean()  # sync: copy-to-device

    @property
    def loss_value(self):
        return self.loss.item()  # sync: host-read

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        self._scale = torch.as_tensor(float(value), device=self.device)  # sync: host-read, tensor-from-host

    @cached_property
    def size(self):
        return len(self.batch)

    @cached_property
    def norm(self):
        return self.model.weight.norm()
