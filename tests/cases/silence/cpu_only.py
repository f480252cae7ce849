"""A script that never leaves the CPU."""
import torch
import torch.nn as nn
import torch.nn.functional as F

model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(100, 10)
y = torch.randint(0, 2, (100,))
for step in range(100):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if torch.isnan(loss) or loss.item() > 10:
        break
    acc = (model(x).argmax(1) == y).float().mean().item()
    hard = x[(x > 0).all(dim=1)]
    print(loss, f"{acc:.3f}", x[y == 1].shape, hard.tolist())
