"""Writing a number by an index tensor or by two ints uploads it."""
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
    x[y] = 0  # sync: index-from-host
    x[0, 0] = 1.0  # sync: index-from-host
    x[:, y] = 0.5  # sync: index-from-host
    x[torch.arange(8, device=device), y] = 1.0  # sync: index-from-host
