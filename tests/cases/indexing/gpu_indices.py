"""Indices made on the GPU, and of CPU tensors by CPU indices."""
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
    order = torch.randperm(8, device=device)
    z = x[order]
    z = x[torch.arange(8, device=device), y]
    z = x.gather(1, y[:, None])
    table = torch.randn(8, 4)
    w = table[torch.randperm(8)], table[[0, 2]], table[table > 0]
