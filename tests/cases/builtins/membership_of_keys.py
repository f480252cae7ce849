"""A dict and a set look up by hash, a tuple of strings compares strings."""
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
    stats = {"loss": loss.detach(), "norm": x.norm()}
    if "loss" in stats and "acc" not in stats:
        stats["acc"] = (model(x).argmax(1) == y).float().mean()
    if loss in {loss: 1}:
        stats.pop("norm")
    if step in (10, 20) or "weight" in dict(model.named_parameters()):
        break
