"""What the command line gives is an option's value under whatever name it is kept, also one that a function is given."""
import argparse

import torch
from torch import nn


def shown(loss, given):
    if given.shown:
        print(loss.item())  # sync: host-read note


class Trainer:
    def __init__(self, given):
        self.a = given

    def fit(self):
        model = nn.Linear(8, 2).cuda()
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        for i in range(10000):
            loss = model(torch.randn(4, 8, device="cuda")).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            shown(loss, self.a)
            if self.a.z_loss:
                print(loss.item())  # sync: host-read note
            if self.a.scale > 0:
                print(loss.item())  # sync: host-read always
            if i < self.a.most:
                print(loss.item())  # sync: host-read note
            if i < self.a.first:
                print(loss.item())  # sync: host-read always
            if i - 10 < self.a.most:
                print(loss.item())  # sync: host-read always
            if self.a.data:
                print(loss.item())  # sync: host-read only


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--z-loss", type=float, default=0.0)
    ap.add_argument("--scale", type=float, default=1.0)
    ap.add_argument("--shown", action="store_true")
    ap.add_argument("--most", type=int, default=0)
    ap.add_argument("--first", type=int, default=3)
    ap.add_argument("--data", required=True)
    a = ap.parse_args()
    Trainer(a).fit()


main()
