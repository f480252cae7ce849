"""Sizes that are GPU scalars: one read each."""
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
    dims = torch.tensor([2, 4], device=device)  # sync: tensor-from-host
    z = x.view(8, dims[0], -1)  # sync: host-read
    z = x.reshape(-1, dims[1])  # sync: host-read
    z = x[:1].expand(dims[1], 16)  # sync: host-read
