"""The same with sizes that are given."""
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
    rows = torch.nonzero_static(y == 3, size=8)
    counts = torch.zeros(4, device=device).scatter_add_(0, y, torch.ones(8, device=device))
    picked = torch.where(y == 3, 1.0, 0.0)
    onehot = F.one_hot(y, 4)
    hist = torch.histc(x, bins=8, min=-1, max=1)
    again = x.repeat_interleave(2, dim=0)
