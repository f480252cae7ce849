"""match on Python values; a guard on a GPU value waits."""
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
    match step % 3:
        case 0 if loss > 1:  # sync: tensor-truth
            opt.param_groups[0]["lr"] = 0.01
        case 1:
            opt.param_groups[0]["lr"] = 0.02
        case _:
            pass
