import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, 5, padding=2)

    def forward(self, x):
        return x + torch.relu(self.conv(x))


class TraceNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Conv1d(1, 16, 9)
        self.blocks = nn.Sequential(*[Block(16) for _ in range(4)])
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean(2))


def nll(output, target):
    return nn.functional.cross_entropy(output, target)


def smooth_nll(output, target):
    return nll(output, target) + 0.1 * output.pow(2).mean()
