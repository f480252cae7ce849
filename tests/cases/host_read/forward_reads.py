"""A model whose forward reads the GPU: hot wherever it is called."""
import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        h = self.proj(x)
        limit = h.abs().max().item()  # sync: host-read
        if limit > 10.0:
            h = h / limit
        temperature = self.scale.item()  # sync: host-read
        return h * temperature


model = nn.Sequential(Gate(64), nn.ReLU(), Gate(64)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(1000):
    x = torch.randn(32, 64, device="cuda")
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
