"""`isinstance(x, int) or isinstance(x, slice)` says what x is. A parser is no options. A variable that is trained stays where it is."""
import argparse

import torch


class Objective:
    def __init__(self, coord):
        self.coord = coord

    def __call__(self, acts):
        if isinstance(self.coord, int) or isinstance(self.coord, slice):
            return acts[:, self.coord].mean()
        return acts[:, self.coord].sum()  # sync: index-from-host


def kept(x):
    if not isinstance(x, list) and not isinstance(x, tuple):
        return x.sum().item()  # sync: host-read
    return len(x)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--ensure", default="none", choices=["rrna", "both", "none"])
    if not isinstance(args, tuple):
        args = args.parse_args()
    every, first = Objective([1, 2]), Objective(3)
    weight = torch.nn.Parameter(torch.randn(8, 8))
    optimizer = torch.optim.SGD([weight], 0.1)
    for _ in range(100):
        acts = torch.randn(4, 8, device="cuda")
        loss = every(acts) + first(acts) + kept(acts) + kept([1, 2]) + kept((3,))
        if args.ensure == "rrna":
            print(loss.item())  # sync: host-read note
        cost = (weight * weight).mean()
        scale = torch.ones(8).to(weight.device)
        (cost * scale).sum().backward()
        optimizer.step()
        print(cost.item())


main()
