"""Class weights and smoothed labels together: the mean is over the weights of what a mask picks."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn


def train(loader, model, smoothing):
    device = torch.device("cuda")
    model = model.to(device)
    weight = torch.tensor([1.0, 2.0, 0.5], device=device)
    both = nn.CrossEntropyLoss(weight=weight, label_smoothing=0.1)
    smooth = nn.CrossEntropyLoss(label_smoothing=0.1)
    weighted = nn.CrossEntropyLoss(weight)
    for x, y in loader:
        x, y = x.to(device), y.to(device)  # sync: copy-to-device x2
        out = model(x)
        loss = F.cross_entropy(out, y, weight=weight, label_smoothing=0.1)  # sync: library-wait
        loss = loss + F.cross_entropy(out, y, weight, label_smoothing=smoothing)  # sync: library-wait likely
        loss = loss + F.cross_entropy(out, y, weight=weight, label_smoothing=0.1, reduction="sum")
        loss = loss + F.cross_entropy(out, y, weight=weight, label_smoothing=0.0)
        loss = loss + F.cross_entropy(out, y, label_smoothing=0.1) + F.cross_entropy(out, y, weight)
        loss = loss + both(out, y)  # sync: library-wait
        loss = loss + smooth(out, y) + weighted(out, y)
        loss.backward()


parser = argparse.ArgumentParser()
parser.add_argument("--smoothing", type=float, default=0.05)
options = parser.parse_args()
data = torch.utils.data.TensorDataset(torch.randn(100, 8), torch.randint(0, 3, (100,)))
train(torch.utils.data.DataLoader(data, 10), nn.Linear(8, 3), options.smoothing)
