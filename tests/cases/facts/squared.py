"""A variable that may be one thing or another is the same on both sides of an operator."""
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, x, weights=None):
        y = x.softmax(-1)
        norm = (x * x).sum(-1) + (y * x).sum(-1)
        return (norm, y) if weights is not None else norm


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(4)])

    def forward(self, x, weights=None):
        for layer in self.layers:
            x = layer(x, weights)
        return x


def train(loader, weights=None):
    model = Model().cuda()
    for x in loader:
        model(x.cuda(), weights)[0].mean().backward()  # sync: copy-to-device
