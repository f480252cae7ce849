"""x[idx] and index_add take all indices at once."""
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
    x[y].add_(1)
    x.index_add_(0, y, torch.ones_like(x))
    out = torch.zeros_like(x).scatter_add_(0, y[:, None].expand(-1, 16), x)
