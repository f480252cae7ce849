"""Reads inside comprehensions and generators, several per step."""
import torch
import torch.nn as nn

device = torch.device("cuda")
heads = nn.ModuleList([nn.Linear(16, 1) for _ in range(4)]).to(device)
optimizer = torch.optim.SGD(heads.parameters(), lr=0.1)
x = torch.randn(64, 16, device=device)

for step in range(100):
    losses = [h(x).pow(2).mean() for h in heads]
    total = sum(losses)
    optimizer.zero_grad()
    total.backward()
    norm = sum(p.grad.norm().item() ** 2 for p in heads.parameters()) ** 0.5  # sync: host-read
    values = [l.item() for l in losses]  # sync: host-read
    named = {f"head{i}": float(l) for i, l in enumerate(losses)}  # sync: host-read
    optimizer.step()
    print(step, norm, max(values), sorted(named))
