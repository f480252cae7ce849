"""Gradients that are cleared before an epoch's first batch make no training step of the loop over epochs."""
import torch
from torch import nn


class Trainer:
    def __init__(self, loader):
        self.model = nn.Linear(8, 8).cuda()
        self.loader = loader
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self):
        for epoch in range(90):
            self.one_epoch()
            self.report()

    def one_epoch(self):
        self.optimizer.zero_grad()
        for i, batch in enumerate(self.loader):
            loss = self.model(batch.cuda(non_blocking=True)).sum()
            loss.backward()
            if (i + 1) % 4 == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()

    def report(self):
        norms = torch.stack([p.norm() for p in self.model.parameters()])
        for one in range(2):
            print(norms[one].item())  # sync: host-read note


def backprop(loss, optimizer):
    getattr(loss, "".join(("back", "ward")))()


def train(loader):
    model = nn.Linear(8, 8).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch.cuda(non_blocking=True)).sum()
        backprop(loss, optimizer)
        print(loss.item())  # sync: host-read
        optimizer.step()


Trainer([torch.randn(4, 8)]).fit()
train([torch.randn(4, 8)])
