"""A preallocated CPU buffer is filled from the GPU each turn: the copy waits."""
import torch
import torch.nn as nn

device = torch.device("cuda")
net = nn.Linear(64, 64).to(device)
results = torch.empty(100, 64)
pinned = torch.empty(64, pin_memory=True)
with torch.no_grad():
    for i in range(100):
        y = net(torch.randn(64, device=device))
        results[i].copy_(y)  # sync: copy-to-host
        pinned.copy_(y)  # sync: copy-to-host
