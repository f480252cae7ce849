"""Branches on what the GPU computed."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(16, 1).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(64, 16, device=device)
for step in range(1000):
    loss = model(x).pow(2).mean()
    if torch.isnan(loss):  # sync: tensor-truth
        raise RuntimeError("diverged")
    if loss > 100 and step > 10:  # sync: tensor-truth
        continue
    if step > 10 and not torch.isfinite(loss):  # sync: tensor-truth
        break
    opt.zero_grad()
    loss.backward()
    opt.step()

error = torch.ones((), device=device)
while error > 1e-3:  # sync: tensor-truth
    error = error * 0.9
