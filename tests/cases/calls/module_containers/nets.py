from collections import OrderedDict

import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        if x.abs().max() > 10:  # sync: tensor-truth
            x = x / 2
        return x


class Drop(nn.Module):
    def forward(self, x):
        alive = torch.nonzero(x.sum(1))  # sync: dynamic-shape
        return x[alive.squeeze(1)]


class Expert(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        y = self.fc(x)
        print("load", y.mean().item())  # sync: host-read
        return y


class Moe(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(d, d), Gate(), nn.Sequential(OrderedDict(drop=Drop())))
        self.experts = nn.ModuleDict({str(i): Expert(d) for i in range(n)})
        layers = []
        for _ in range(3):
            layers.append(nn.Linear(d, d))
            layers.append(nn.GELU())
        self.head = nn.Sequential(*layers)
        self.router = nn.Linear(d, n)

    def forward(self, x):
        x = self.stem(x)
        choice = self.router(x).argmax(1)
        out = torch.zeros_like(x)
        for name, expert in self.experts.items():
            rows = (choice == int(name)).nonzero(as_tuple=True)[0]  # sync: dynamic-shape
            if rows.numel() == 0:
                continue
            out[rows] = expert(x[rows])
        return self.head(out)
