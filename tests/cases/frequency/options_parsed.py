"""What a parser gives holds options by whatever name, and wherever it is handed."""
import argparse

import torch
from torch import nn

model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)


def step():
    loss = model(torch.randn(4, 8, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--dump", action="store_true")
    p.add_argument("--z-loss", type=float, default=0.0)
    p.add_argument("--clip", choices=["norm", "quantile"], default="norm")
    p.add_argument("--every", action="store_true", default=True)
    return p.parse_known_args()


class Runner:
    def __init__(self, a):
        self.a = a

    def run(self):
        for _ in range(1000):
            loss = step()
            if self.a.dump:
                print(loss.item())  # sync: host-read note
            if self.a.every:
                print(loss.item())  # sync: host-read certain


def train(p):
    for _ in range(1000):
        loss = step()
        if p.z_loss:
            print(loss.item())  # sync: host-read note
        if p.clip == "quantile":
            print(loss.item())  # sync: host-read note
        else:
            print(loss.item())  # sync: host-read certain
        if p.late:
            print(loss.item())  # sync: host-read certain


A, rest = parse()
A.late = True
train(A)
Runner(A).run()
