"""range() over shapes, lengths and Python numbers."""
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
    for i in range(x.size(0)):
        x[i].mul_(0.5)
    for c in range(len(y)):
        x[c].add_(1.0)
    for k in range(x.ndim + x.shape[1] // 16):
        x.mul_(1.0)
