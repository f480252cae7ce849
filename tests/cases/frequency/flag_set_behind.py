"""A flag that is asked before and set behind the branch shuts it for good; one that may be reset does so now and then."""
import torch
from torch import nn


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.has_sampled = False
        self.seen = 0

    def make(self, device):
        self.low = torch.tensor([0.1], device=device)
        self.high = torch.tensor([0.9], device=device)

    def forward(self, x):
        if not self.has_sampled:
            self.make(x.device)
        self.has_sampled = True
        if x.mean() > 0:  # sync: tensor-truth
            self.seen += 1
        return x * self.low + self.high


def train(model: Sampler, loader, optimizer):
    model.cuda()
    for x in loader:
        loss = model(x.cuda()).sum()  # sync: copy-to-device
        loss.backward()
        optimizer.step()
