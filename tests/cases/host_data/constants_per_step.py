"""torch.tensor(number, device=...) each step."""
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
    one = torch.tensor(1.0, device=device)  # sync: tensor-from-host
    weights = torch.tensor([0.1, 0.2], device=x.device)  # sync: tensor-from-host
    z = x.new_tensor([1.0, 2.0])  # sync: tensor-from-host
    z = torch.as_tensor(step, device=device)  # sync: tensor-from-host
