"""One read and a Python float from there on: everything after it is free."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
model = nn.Linear(20, 5).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
x = torch.randn(32, 20, device=device)
y = torch.randint(0, 5, (32,), device=device)
best = float("inf")
for step in range(500):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    loss = loss.item()  # sync: host-read
    if math.isnan(loss):
        break
    if loss < best:
        best = loss
    print(f"{step}: {loss:.4f} best {best:.4f} ppl {math.exp(loss):.2f}")
