"""Loops that make layers and move them build a model: that is done once. A batch's copy in such a loop is not."""
import torch
import torch.nn as nn


class Wide(nn.Module):
    def __init__(self, fc):
        super().__init__()
        self.fc = fc

    def forward(self, x):
        return self.fc(x)


def exchange(model):
    for name, child in model.named_children():
        if isinstance(child, nn.Linear):
            wide = Wide(child)
            wide.to(child.weight.device)
            setattr(model, name, wide)
    return model


def ensemble(factory, count, device):
    parts = []
    for _ in range(count):
        part = factory.create(8)
        part = Wide(part)
        part.to(device)
        parts.append(part)
    return nn.ModuleList(parts)


def check(model, x):
    if not getattr(model, "was_checked", False):
        if x.isnan().any():
            raise ValueError(f"bad input {x.sum().item()}")
        model.was_checked = True
    bad = x < 0
    if bad.any():  # sync: tensor-truth
        first = x[0].tolist()
        torch._assert(False, f"negative: {first}")
    if x.shape[0] == 0:
        raise ValueError(f"no input {x.sum().item()}")


device = torch.device("cuda")
model = nn.Sequential(nn.Linear(8, 8), nn.ReLU()).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    x = torch.rand(4, 8, device=device)
    check(model, x)
    loss = model(x).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
