"""A GPU by its number, which is known by what it is called."""
import argparse
import os

import torch
from torch import nn
from torch.utils.data import DataLoader


def train(gpu, opt):
    net = nn.Linear(8, 8).to(opt.gpu_ids[0])
    scale = torch.ones(8, device=opt.local_rank)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y, kind in DataLoader(torch.load("data.pt"), 32):
        x = x.to(gpu)  # sync: copy-to-device
        y = y.to(opt.local_rank)  # sync: copy-to-device
        kind = kind.to(opt.kind)
        loss = ((net(x) * scale - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if opt.local_rank == 0 and kind.sum() > 8:
            print(loss.item())  # sync: host-read


class Trained:
    """Moved away and back again for each file."""

    def __init__(self, opt):
        self.gpu_ids = opt.gpu_ids
        self.net = nn.Linear(8, 8)
        self.net.to(self.gpu_ids[0])

    def save(self, path):
        torch.save(self.net.cpu().state_dict(), path)  # sync: copy-to-host
        self.net.cuda(self.gpu_ids[0])  # missed: copy-to-device


parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
parser.add_argument("--gpu_ids", default="0")
parser.add_argument("--kind", default=None)
options = parser.parse_args()
options.gpu_ids = [int(part) for part in options.gpu_ids.split(",")]
train(options.gpu_ids[0], options)
trained = Trained(options)
for epoch in range(10):
    trained.save(f"{epoch}.pt")
