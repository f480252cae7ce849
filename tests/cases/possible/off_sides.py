# options: --min-confidence possible
"""A tensor that only a branch makes which is off: by default likely, by what every call says possible. Where the other side
makes a tensor as well, or nobody says which side is off, nothing is doubted."""
import torch
from torch import nn


class Cache(nn.Module):
    def forward(self, x, steps):
        if isinstance(steps, torch.Tensor):
            return [row[: n.item()] for row, n in zip(x, steps)]  # sync: host-read likely
        return [row[:steps] for row in x]


class World(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.device = torch.device("cuda")
        self.cache = Cache()
        self.lin = nn.Linear(width, width)

    def forward(self, x, sizes, apart: bool = False):
        if apart:
            steps = torch.tensor([len(s) for s in sizes], device=self.device)  # sync: tensor-from-host note
        else:
            steps = len(sizes)
        return self.cache(self.lin(x), steps)


def lengths(x, sizes, apart):
    if apart:
        steps = torch.full((4,), 3, device="cuda")
    else:
        steps = sizes
    if isinstance(steps, torch.Tensor):
        return [row[: n.item()] for row, n in zip(x, steps)]  # sync: host-read note possible
    return x[:steps]


def scaled(x, masked):
    scale = torch.ones(4, device="cuda")
    if masked:
        scale = torch.rand(4, device="cuda")
    return x[:, : int(scale.sum().item())]  # sync: host-read certain


def train(loader, model, optimizer, apart=None):
    model = model.cuda()
    for x in loader:
        x = x.cuda()  # sync: copy-to-device
        lengths(x, 3, False)
        scaled(x, False)
        if apart is None:
            steps = 2
        else:
            steps = torch.full((4,), 3, device="cuda").sum()
        loss = model(x[:steps]).mean()  # sync: host-read likely
        loss.backward()
        optimizer.step()
