"""A class that a condition picks and a variable keeps is made where the condition picks it; no option says anything of the class
that is made also without it, nor where both branches may give it."""
import torch
from torch import nn


class Noisy(nn.Linear):
    def forward(self, x):
        return super().forward(x) + x.mean().item()  # sync: host-read note


class Kept(nn.Linear):
    def forward(self, x):
        return super().forward(x) - x.std().item()  # sync: host-read always


class Usual(nn.Linear):
    def forward(self, x):
        return super().forward(x) * x.std().item()  # sync: host-read always


def net(noisy=False, kept=False):
    linear = Noisy if noisy else Usual
    other = Kept if kept else nn.Linear
    return nn.Sequential(linear(8, 8), nn.ReLU(), linear(8, 8), other(8, 8), Kept(8, 8))


def main():
    model = net().cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for step in range(1000):
        loss = model(torch.randn(4, 8, device="cuda")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
