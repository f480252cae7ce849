"""Noise, masks and positions made on the GPU."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    noise = torch.randn(8, 16, device=device)
    mask = torch.rand(8, device=device) < 0.5
    places = torch.arange(8, device=x.device)
    order = torch.randperm(8, device=device)
    tri = torch.triu(torch.ones(8, 8, device=device, dtype=torch.bool), 1)
    same = torch.randn_like(x) + torch.empty_like(x).normal_()
