"""A mode picks which of several functions trains: those that the default does not pick run only with another one."""
import argparse
import enum

import torch
from torch import nn

LIMIT = 0.0


class Mode(enum.Enum):
    ALONE = "alone"
    TOGETHER = "together"


model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)


def step():
    loss = model(torch.randn(4, 8, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def alone(args):
    for _ in range(1000):
        loss = step()
        print(loss.item())  # sync: host-read certain
        if args.limit > 0:
            print(loss.item())  # sync: host-read note
        if args.mode is Mode.TOGETHER:
            print(loss.item())  # sync: host-read note


def together(args):
    for _ in range(1000):
        print(step().item())  # sync: host-read note


def slow(args):
    for epoch in range(10):
        for _ in range(1000):
            print(step().item())  # sync: host-read note


def fast(args):
    for epoch in range(10):
        for _ in range(1000):
            print(step().item())  # sync: host-read certain


PACES = {"slow": slow, "fast": fast}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", type=Mode, default=Mode.ALONE)
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--pace", choices=PACES, default="fast")
    a = parser.parse_args()
    {Mode.ALONE: alone, Mode.TOGETHER: together}[a.mode](a)
    run = PACES[a.pace]
    run(a)
