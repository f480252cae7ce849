"""An option decides whether a loop runs that does what other code does by default. Of a loop that trains or evaluates it says nothing:
who runs that has chosen it."""
import torch
from torch import nn


def solve(parts, rounds=20, compiled=True):
    if compiled:
        return torch.ops.package.solve(parts, rounds)
    for _ in range(rounds):
        parts = parts @ parts
        if parts.sum() < 1:  # sync: tensor-truth note
            break
    return parts


def fit(model, loader, train=False):
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    if not train:
        return
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(loss.item())  # sync: host-read


solve(torch.eye(8, device="cuda"))
fit(nn.Linear(8, 8).cuda(), torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.zeros(9, 8), torch.zeros(9, 8)), pin_memory=True))
