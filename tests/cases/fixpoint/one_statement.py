"""What `report` reads of the meter is a tensor only after it was called: of its statements only those that the meter comes
to are looked at again, and the others wait as before."""
import torch


class Meter:
    def __init__(self):
        self.last = 0.0


def report(meter, x):
    first = x.sum().item()  # sync: host-read
    doubled = x * 2 + x.mean()
    if doubled.max() > 1:  # sync: tensor-truth
        first = first + 1.0
    shown = meter.last
    print(first, float(shown))  # sync: host-read
    return doubled


meter = Meter()
for step in range(1000):
    x = torch.rand(64, device="cuda")
    y = report(meter, x)
    meter.last = y.norm()
