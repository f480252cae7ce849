"""max and min of sizes and Python numbers ask the GPU nothing."""
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
    rows = max(1, x.shape[0])
    width = min(x.size(1), 8)
    scale = max(0.1, 1.0 - step / 100)
    opt.param_groups[0]["lr"] = min(0.1, scale * rows / width)
