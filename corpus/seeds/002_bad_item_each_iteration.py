# Article 002 (prose only): `.item()` 1000 times against once.
# The article counts the GPU's own time twice: the facts price such a read from nothing to half the step.
import torch
from torch import nn

device = "cuda"
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

history = []
for step in range(100):
    optimizer.zero_grad()
    loss = model(torch.randn(32, 64, device=device)).square().mean()
    loss.backward()
    optimizer.step()
    history.append(loss.item())  # sync: host-read
print(sum(history) / len(history))
