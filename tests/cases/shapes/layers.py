"""Shapes through layers: two blocks of one class are two sizes, layers are built in a loop, options come from the command line."""
import argparse
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("-b", "--batch-size", type=int, default=16)
args = parser.parse_args()


@dataclass
class Config:
    width: int = 32
    classes: int = 10


DEFAULTS = {"image": 64}


class Block(nn.Module):
    def __init__(self, before, after):
        super().__init__()
        self.conv = nn.Conv2d(before, after, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm2d(after)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        layers = []
        width = 3
        for i in range(3):
            layers += [Block(width, config.width * 2 ** i), nn.Identity()]
            width = config.width * 2 ** i
        self.body = nn.Sequential(*layers)
        self.heads = nn.ModuleList([nn.Linear(width, n) for n in (config.classes, 7)])

    def forward(self, x):
        x = self.body(x)
        x = F.adaptive_avg_pool2d(x, 1).flatten(1)  # is: cuda float (16, 128)
        return [head(x) for head in self.heads]


model = Net(Config()).cuda()
size = DEFAULTS["image"]
images = torch.randn(args.batch_size, 3, size, size, device="cuda")  # is: cuda float (16, 3, 64, 64)
for step in range(10):
    a, b = model(images)
    print(a)  # sync: print-tensor
    c = a + b[:, :1]  # is: cuda float (16, 10)
    d = b.argmax(1)  # is: cuda int (16,)
