"""What runs is named by an argument: a module's dict, its own globals, a module that is imported by name."""
import argparse
import importlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import nets
from heads import linear, pooled  # noqa: F401

parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="resnet20")
parser.add_argument("--head", default="linear")
parser.add_argument("--loss", default="margin_loss")


def margin_loss(out, y):
    return out[y > 0].mean()  # sync: dynamic-shape


def plain_loss(out, y):
    return nn.functional.cross_entropy(out, y)


def main():
    args = parser.parse_args()
    model = nets.__dict__[args.arch]()
    tiny = nets.small.__dict__["tiny"]()
    head = importlib.import_module("heads." + args.head).Head()
    criterion = globals()[args.loss]
    model.cuda()
    tiny.cuda()
    head.cuda()
    optimizer = torch.optim.SGD([*model.parameters(), *head.parameters()], 0.1)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 10, (64,)))
    for x, y in DataLoader(data, batch_size=8, pin_memory=True):
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        out = head(model(x) + tiny(x))
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
