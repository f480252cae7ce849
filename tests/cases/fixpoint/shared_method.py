"""A method that two receivers of one call share is called by both together, once."""

import sys

import torch


class Meter:
    def add(self, value):
        self.total = value
        return value


class Loss(Meter):
    pass


class Accuracy(Meter):
    pass


meter = Loss() if len(sys.argv) > 1 else Accuracy()
values = torch.zeros(3, device="cuda")
for step in range(1000):
    print(meter.add(values).sum().item())  # sync: host-read
