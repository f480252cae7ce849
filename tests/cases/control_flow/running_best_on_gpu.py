"""The best loss kept by torch.minimum."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
best = torch.full((), float("inf"), device=device)
weights = [p.detach().clone() for p in model.parameters()]

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    best = torch.minimum(best, loss.detach())
    better = best == loss.detach()
    weights = [torch.where(better, p.detach(), q) for p, q in zip(model.parameters(), weights)]
