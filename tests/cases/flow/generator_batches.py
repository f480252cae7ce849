"""Batches from a generator function that moves them."""
import torch
import torch.nn as nn


def batches(data, size, device):
    for i in range(0, len(data), size):
        yield data[i:i + size].to(device)  # sync: copy-to-device


data = torch.randn(1000, 16)
device = torch.device("cuda")
model = nn.Linear(16, 16).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x in batches(data, 32, device):
        loss = model(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if loss < 1e-6:  # sync: tensor-truth
            break
