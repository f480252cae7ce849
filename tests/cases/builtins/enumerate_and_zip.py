"""enumerate, zip and reversed hand tensors on."""
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
    for i, row in enumerate(x):
        row.mul_(i)
    for a, b in zip(x, reversed([x[0], x[1]])):
        a.add_(b)
    pairs = dict(zip(["a", "b"], x[:2]))
