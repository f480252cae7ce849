"""What is made in a function that only an option calls is made only with that option, and so is what its constructor makes. A branch
that some caller must choose does not say that something is made by default."""
import argparse

import torch
from torch import nn


class Counted(nn.Module):
    def forward(self, x):
        return x * x.max().item()  # sync: host-read note


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.counted = Counted()

    def forward(self, x):
        return self.counted(x) + x.min().item()  # sync: host-read note


class Plain(nn.Module):
    def forward(self, x):
        return x * 2


def counted_head():
    return Head()


def head_of(kind):
    if kind == "counted":
        return counted_head()
    return Plain()


class Model(nn.Module):
    def __init__(self, kind="plain"):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.head = head_of(kind)

    def forward(self, x):
        return self.head(self.layer(x))


parser = argparse.ArgumentParser()
parser.add_argument("--kind", default="plain")
args = parser.parse_args()
model = Model(args.kind).cuda()
optimizer = torch.optim.AdamW(model.parameters(), fused=True)
for _ in range(1000):
    loss = model(torch.randn(16, 8, device="cuda")).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
