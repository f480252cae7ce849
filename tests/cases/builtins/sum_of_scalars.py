"""sum() adds on the GPU; what is read is what is asked for."""
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
    total = sum(p.grad.norm() ** 2 for p in model.parameters())
    parts = sum([loss, total]) / 2
    count = sum(p.numel() for p in model.parameters())
