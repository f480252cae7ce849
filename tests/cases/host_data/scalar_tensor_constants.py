"""Constants made on the GPU by a kernel."""
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
    one = torch.ones((), device=device)
    half = torch.full((), 0.5, device=device)
    two = torch.scalar_tensor(2.0, device=device)
    z = x * one * half * two
    z = z + torch.zeros(1, device=device) + torch.arange(16, device=device)
