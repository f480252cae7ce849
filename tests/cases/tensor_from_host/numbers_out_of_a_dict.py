"""A list of what a dict or a pair of lists holds: the copy to the GPU is certain, that the numbers are tensors is not."""
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.names = names
        self.weight = nn.Parameter(torch.ones(3, 3))

    def forward(self, x, scaling):
        y = x @ self.weight
        scales = torch.tensor([scaling[name] for name in self.names], device=y.device)  # sync: tensor-from-host, host-read likely
        return y * scales


class Memory(nn.Module):
    def forward(self, features):
        pairs = []
        for t in range(1, 4):
            pairs.append((3 - t, features[t]))
        if pairs:
            ages, pointers = zip(*pairs)
            stacked = torch.stack(pointers, dim=0)
            age = torch.tensor(ages, device=stacked.device)  # sync: tensor-from-host  # spurious: host-read
            return stacked * age
        return features


def fill(values: dict[int, float], bounds: torch.Tensor):
    for i in range(3):
        row = bounds @ bounds
        x = torch.tensor([values[k] for k in range(3)], device=row.device)  # sync: tensor-from-host
    return x
