"""Optimizers of classes of the program's own step as PyTorch's do: the loop that steps them is the training step, neither
the loop of backward passes in it nor one over the optimizers."""
import torch
from torch import nn
from torch.optim import Optimizer


class Lion(Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p.add_(p.grad.sign(), alpha=-group["lr"])


class SlowLion(Lion):
    def __init__(self, params):
        super().__init__(params, lr=1e-5)


def accumulate(loader):
    model = nn.Linear(10, 10).cuda()
    optimizer = SlowLion(model.parameters())
    for x in loader:
        for part in x.chunk(4):
            loss = model(part.cuda(non_blocking=True)).mean()
            loss.backward()
        optimizer.step()
        print(loss.item())  # sync: host-read


def several(loader):
    model = nn.Linear(10, 10).cuda()
    optimizers = [Lion(model.parameters()), torch.optim.SGD(model.parameters(), lr=1e-4), SlowLion(model.parameters())]
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).mean()
        for part in (loss, loss * 2):
            part.backward(retain_graph=True)
        for opt in optimizers:
            opt.step()
            opt.zero_grad()
        print(loss.item())  # sync: host-read
