"""all() over a tensor asks every element for its truth."""
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
    labels = y[:4]
    if all(labels == labels[0]):  # sync: tensor-truth
        continue
    if any(p.grad.isnan().any() for p in model.parameters()):  # sync: tensor-truth
        break
