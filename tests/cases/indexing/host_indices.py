"""Indices made on the host: ranges, randperm, lists, NumPy."""
import numpy as np
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    order = torch.randperm(8)
    z = x[order]  # sync: index-from-host
    z = x[torch.arange(8), y]  # sync: index-from-host
    z = x[list(range(4))]  # sync: index-from-host
    z = x[np.arange(4)]  # sync: index-from-host
