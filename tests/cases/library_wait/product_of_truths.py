"""The backward pass of a product waits; what was compared has no gradient, and no backward pass."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader


class Gate(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.center = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        y = self.layer(x)
        alike = torch.prod(self.center == x, dim=1)
        positive = (self.center > y).prod(dim=1)
        weight = torch.prod(self.center * y, dim=1)  # sync: library-wait
        return y.mean(dim=1) * weight * alike * positive


def train(dataset):
    model = Gate(64).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, target in DataLoader(dataset, batch_size=32, pin_memory=True):
        loss = F.mse_loss(model(x.cuda(non_blocking=True)), target.cuda(non_blocking=True))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


train(torch.load("pairs.pt"))
