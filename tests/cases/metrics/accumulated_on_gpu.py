"""Counts kept on the GPU and read once."""
import torch
import torch.nn.functional as F
import torchmetrics

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
hits = torch.zeros((), device=device)
total = 0
mean = torchmetrics.MeanMetric(nan_strategy="disable").to(device)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    hits += (model(x).argmax(1) == y).sum()
    total += y.size(0)
    mean.update(loss.detach())
print(hits.item() / total, mean.compute().item())
