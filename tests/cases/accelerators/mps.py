# A program that names no CUDA runs on the accelerator that it names: its waits are found.
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
model = nn.Linear(10, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(loader):
    total = 0
    for x, y in loader:
        x = x.to(device)  # sync: copy-to-device
        y = y.to("mps:0")  # sync: copy-to-device
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()  # sync: host-read
        if device.type == "mps":
            torch.mps.synchronize()  # sync: explicit-sync
    return total
