"""Options that an object of the program keeps, read from outside."""
import argparse

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, exact=False):
        super().__init__()
        self.exact = exact
        self.weight = nn.Parameter(torch.randn(8, 8))

    def forward(self, x):
        return product(self, x)


class Wide(nn.Module):
    def __init__(self, exact=False):
        super().__init__()
        self.exact = exact
        self.weight = nn.Parameter(torch.randn(8, 64))

    def forward(self, x):
        return product(self, x)


def product(layer, x):
    if not layer.exact:
        return x @ layer.weight
    n = int(x.abs().max())  # sync: host-read note
    return x @ layer.weight * n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--exact", action="store_true")
    args = parser.parse_args()
    device = torch.device("cuda")
    model = nn.Sequential(Layer(exact=args.exact), Wide(exact=args.exact)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    for _ in range(1000):
        loss = model(torch.randn(16, 8, device=device)).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


main()
