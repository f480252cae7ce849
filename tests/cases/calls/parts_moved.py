"""A module that moves its network and stays where it is itself: its parameters are the network's."""
import torch
from torch import nn


def flatten(parameters, into):
    at = 0
    for parameter in parameters():
        if parameter.grad is not None:
            into[at : at + parameter.grad.numel()].copy_(parameter.grad.data.view(-1))
            at += parameter.grad.numel()


class Learner(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.device = torch.device("cuda")
        self.net.to(self.device)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.flat = torch.zeros(sum(p.numel() for p in self.parameters()), device=self.device)

    def observe(self, x, y):
        self.opt.zero_grad()
        nn.functional.mse_loss(self.net(x), y).backward()
        flatten(self.parameters, self.flat)
        norms = [p.grad.norm() for p in self.parameters()]
        if max(norms) < 10:  # sync: tensor-truth x2
            self.opt.step()


learner = Learner(nn.Linear(4, 1))
for step in range(1000):
    learner.observe(torch.randn(8, 4, device="cuda"), torch.randn(8, 1, device="cuda"))
