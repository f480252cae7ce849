# What a statement found is kept while nothing that it reads has changed, and found anew once it has.
import torch


class Meter:
    def __init__(self):
        self.total = 0
        self.count = 0
        self.names = []

    def read(self):
        total = self.total + 0
        count = self.count + 1
        names = list(self.names)
        shown = total  # is: number | cuda float
        print(count, names)
        return shown

    def add(self, value):
        self.total = value


def turns(model, batches):
    scale = float("1.5")
    last = None
    for batch in batches:
        factor = scale * 2.0
        seen = last  # is: None | cuda float
        last = torch.ones(3, device="cuda") * factor
    return seen


meter = Meter()
meter.read()
meter.add(torch.ones(3, device="cuda"))
turns(None, [1, 2])
