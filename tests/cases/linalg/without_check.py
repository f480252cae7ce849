"""The _ex forms and what has no code."""
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
    low, info = torch.linalg.cholesky_ex(a)
    inv, info = torch.linalg.inv_ex(a)
    q, r = torch.linalg.qr(x)
    det = torch.linalg.slogdet(a)[1] + torch.linalg.norm(x) + torch.linalg.vector_norm(x)
    z = torch.linalg.solve_triangular(low, x.t(), upper=False)
