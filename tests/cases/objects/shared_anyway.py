"""What is written where nobody knows which instance it is reaches every instance, and the other way round."""
import random

import torch


class Meter:
    limit = 10.0

    def __init__(self):
        self.value = 0.0
        self.peak = 0.0

    def update(self, value):
        self.value = value


class Loud(Meter):
    def shout(self):
        print(f"{self.value:.3f}")  # sync: host-read


def reset(meter: Meter):
    """Nobody calls it in sight: any meter may come."""
    meter.peak = torch.zeros((), device="cuda")


def show(meter: Meter):
    for _ in range(1000):
        print(f"{meter.value:.3f}")  # sync: host-read likely


def spread(meters, value):
    for meter in meters:
        setattr(meter, "value", value)


quiet, fed, picked = Meter(), Meter(), Meter()
a, b, c, d, e = Meter(), Meter(), Meter(), Meter(), Meter()
loud, soft = Loud(), Loud()
either = random.choice([quiet, picked])
x = torch.ones(8, device="cuda")
for step in range(1000):
    x = x * 1.01
    fed.update(x.mean())
    loud.update(x.mean())
    soft.update(0.5)
    spread([a, b, c, d, e], x.sum())
    loud.shout()
    if fed.value > 3:  # sync: tensor-truth
        break
    if soft.value > 3:
        break
    if e.value > 3:  # sync: tensor-truth
        break
    if quiet.peak > 3:  # sync: tensor-truth likely
        break
Meter.limit = x.max()
for step in range(1000):
    x = x * 1.01
    if quiet.limit > 3:  # sync: tensor-truth
        break
