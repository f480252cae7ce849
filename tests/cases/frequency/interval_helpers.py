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


class Average(nn.Module):
    """Its interval is a variable, of which it says itself what it is by default; its flag shuts a branch for good."""

    def __init__(self, every=50):
        super().__init__()
        self.every = every
        self.count = 0
        self.register_buffer("ready", torch.tensor(False))
        self.register_buffer("open", torch.tensor(False))

    def update(self, loss):
        self.count += 1
        if not self.ready.item():  # sync: host-read
            print(loss.item())
            self.ready.copy_(torch.tensor(True))
        if not self.open.item():  # sync: host-read
            print(loss.item())  # sync: host-read
            self.open.copy_(torch.tensor(False))  # sync: copy-to-device
        due = divisible_by(self.count, self.every)
        if due:
            print(loss.item())  # sync: host-read note
        late = is_large(self.count, self.every)
        if late:
            print(loss.item())  # sync: host-read


model = nn.Linear(8, 8).cuda()
average = Average().cuda()
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
    average.update(loss)
