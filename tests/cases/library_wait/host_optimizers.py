"""An optimizer of tensors on the CPU reads nothing back from a GPU."""
import torch
from torch import nn
import torch.nn.functional as F


def temperature_of(logits, labels):
    temperature = nn.Parameter(torch.ones(1))
    optimizer = torch.optim.LBFGS([temperature], max_iter=50)

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(logits / temperature, labels)
        loss.backward()
        return loss

    optimizer.step(closure)
    return temperature.detach()


class Probe:
    def __init__(self, size):
        self.weight, self.bias = torch.zeros(size, requires_grad=True), torch.zeros(1, requires_grad=True)
        self.optimizer = torch.optim.ASGD(params=(self.weight, self.bias))

    def train(self, batches):
        for x, y in batches:
            F.mse_loss(x @ self.weight + self.bias, y).backward()
            self.optimizer.step()


def attack(model, x, use_cuda, steps=100):
    guess = torch.randn(x.shape, device="cuda", requires_grad=True)
    optimizer = torch.optim.LBFGS([guess])
    for _ in range(steps):
        optimizer.step(lambda: (model(guess) - x).pow(2).sum())  # sync: library-wait
    other = torch.randn(x.shape)
    if use_cuda:
        other = other.cuda()
    optimizer = torch.optim.LBFGS([other.requires_grad_()])
    for _ in range(steps):
        optimizer.step(lambda: (model(other) - x).pow(2).sum())  # sync: library-wait


class Scaled(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.temperature = nn.Parameter(torch.ones(1))

    def calibrate(self, logits, labels, steps):
        optimizer = torch.optim.LBFGS([self.temperature])
        for _ in range(steps):
            optimizer.step(lambda: F.cross_entropy(logits / self.temperature, labels))  # sync: library-wait
