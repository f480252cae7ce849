"""Factorisations look at their error code."""
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
    a = x.t() @ x + torch.eye(16, device=device)
    low = torch.linalg.cholesky(a)  # sync: linalg-check
    inv = torch.linalg.inv(a)  # sync: linalg-check
    sol = torch.linalg.solve(a, x.t())  # sync: linalg-check
    val = torch.linalg.eigvalsh(a)  # sync: linalg-check
    sv = torch.linalg.svd(x)  # sync: linalg-check
