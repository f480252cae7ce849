import torch


def smooth(x):
    return x * 0.9


class Filter:
    def __init__(self):
        self.kept = torch.zeros((), device="cuda")

    def total(self):
        return self.kept.item()  # sync: host-read
