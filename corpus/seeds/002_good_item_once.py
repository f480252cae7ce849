# Article 002, the fix: accumulate on the GPU and read once.
import torch
from torch import nn

device = "cuda"
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

total = torch.zeros((), device=device)
for step in range(100):
    optimizer.zero_grad()
    loss = model(torch.randn(32, 64, device=device)).square().mean()
    loss.backward()
    optimizer.step()
    total += loss.detach()
print(total.item() / 100)
