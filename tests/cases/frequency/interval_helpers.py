"""A function that says whether a number divides another tells an interval as `%` does."""
import torch
from torch import nn


def divisible_by(numer, denom):
    return (numer % denom) == 0


def is_due(step, every=100):
    """Every so many steps, but not at the first."""
    return not step % every


def is_large(step, bound):
    return step > bound


model = nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step in range(10000):
    loss = model(torch.randn(4, 8, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step != 0 and divisible_by(step, 1000):
        print(loss.item())  # sync: host-read note
    if is_due(step):
        print(loss.min().item())  # sync: host-read note
    if not divisible_by(step, 1000):
        print(loss.max().item())  # sync: host-read
    if is_large(step, 10):
        print(loss.sum().item())  # sync: host-read
