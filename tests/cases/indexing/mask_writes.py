"""Writing a number through a mask is masked_fill; writing tensors counts it."""
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
    x[x < 0] = 0
    x[y == 3] = -1.0
    x[torch.isnan(x)] = 0.0
    x[x > 1] = x[x > 1] * 0.5  # sync: dynamic-shape x2
    x[y == 3] += 1  # sync: dynamic-shape
