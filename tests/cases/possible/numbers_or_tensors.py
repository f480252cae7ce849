# options: --min-confidence possible
"""What begins as a number and becomes a tensor: where a computation of tensors gave it, it is one when it is read. What is handed
in as a number most often stays one."""
import torch
import torch.nn.functional as F
from torch import nn


def train(model: nn.Module, loader, optimizer, device, epochs):
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            x, y = x.to(device), y.to(device)  # sync: copy-to-device x2
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss
        print(f"{epoch}: {total:.3f}")  # sync: host-read note


def train_until(model: nn.Module, loader, optimizer, limit=0.0):
    worst = limit
    for x in loader:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        if worst < 100:  # sync: tensor-truth possible
            worst = max(worst, 1)  # sync: tensor-truth possible
        worst = loss.detach()
    return worst


def schedule(model: nn.Module, loader, optimizer, warm=100, rate=0.1):
    for step, x in enumerate(loader):
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        if step < warm:
            rate = rate * 0.9
        print(f"{rate:.3f}")
