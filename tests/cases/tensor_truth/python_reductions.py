"""Python's max, min, sorted, all, any and `in` compare elements one by one on the host."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.ModuleList([nn.Linear(8, 1) for _ in range(8)]).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(32, 8, device=device)
for step in range(100):
    losses = [m(x).mean() for m in model]
    worst = max(losses)  # sync: tensor-truth
    best = min(losses)  # sync: tensor-truth
    ranked = sorted(losses)  # sync: tensor-truth
    bad = any(torch.isnan(l) for l in losses)  # sync: tensor-truth
    good = all(l < 10 for l in losses)  # sync: tensor-truth
    total = sum(losses)
    opt.zero_grad()
    (total + worst - best + ranked[0]).backward()
    biggest = max(p.grad.abs().max() for p in model.parameters())  # sync: tensor-truth
    opt.step()
    print(step, bad, good, biggest.shape, len(losses), max(len(losses), 3))
