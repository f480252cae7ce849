"""A wide MLP: the GPU sets the pace."""
import torch
from torch import nn

device = "cuda"
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 4096)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
x = torch.randn(2048, 4096, device=device)
target = torch.randn(2048, 4096, device=device)
some = torch.arange(1024, device=device)
history = []
for step in range(10000000):
    out = model(x)
    errors = (out - target).abs().mean(1)
    worst = errors[errors > 1.0]
    loss = ((out - target) ** 2).mean()
    history.append(loss.item())
    optimizer.zero_grad()
    loss.backward()
    norm = model[0].weight.grad.norm()
    history.append(norm.item())
    optimizer.step()
    print(loss.detach())
    del history[:]
