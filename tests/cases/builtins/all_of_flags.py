"""all() and any() of Python bools."""
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
    flags = [p.requires_grad for p in model.parameters()]
    shapes = [p.shape == p.grad.shape for p in model.parameters()]
    if not all(flags) or not any(shapes) or all(p.is_cuda for p in model.parameters()) is None:
        break
    same = (y == y[0]).all()
    count = torch.stack([p.grad.isnan().any() for p in model.parameters()]).any()
