"""torch.zeros(t), arange(t) and full(t, v) read the size."""
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
    n = y.max() + 1
    hist = torch.zeros(n, device=device)  # sync: host-read
    ids = torch.arange(n, device=device)  # sync: host-read
    eye = torch.eye(n, device=device)  # sync: host-read
