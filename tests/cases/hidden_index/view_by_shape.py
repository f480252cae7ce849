"""Sizes taken from shapes."""
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
    b, d = x.shape
    z = x.view(b, 2, d // 2)
    z = x.reshape(-1, x.size(-1))
    z = x[:1].expand(y.shape[0], -1)
    z = x.view(x.size(0), -1).repeat(2, 1)
