"""expand and broadcasting carry a GPU scalar without reading it."""
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
    z = loss.detach().expand(8, 16)
    z = torch.ones_like(x) * loss.detach()
    z = torch.where(x > 0, loss.detach(), x)
