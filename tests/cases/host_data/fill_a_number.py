"""fill_, zero_, mul_, clamp_ and full take the number with the kernel."""
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
    x.fill_(5)
    x.zero_()
    x.mul_(0.5).clamp_(min=0, max=1)
    z = torch.full((8,), 0.5, device=device)
    z = x.new_full((4,), 1.0) + torch.full_like(x[0, :4], 2.0)
