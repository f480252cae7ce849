"""Writing tensors by index, and numbers by slices."""
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
    x[y] = x[y] * 2
    x[0] = 0
    x[:, 3] = 1.0
    x[0, 1:3] = 0.5
    x.index_fill_(0, y, 0)
    x.scatter_(1, y[:, None], 1.0)
    x[0, 0].fill_(1.0)
