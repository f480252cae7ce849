# options: --min-confidence possible
"""What is moved and kept where it was is there from the first time on, unless something else puts it back."""
import torch
from torch import nn


class Priors(nn.Module):
    def __init__(self, count: int):
        super().__init__()
        self.weights = torch.linspace(0, 1, count)
        self.batch = None

    def take(self, batch):
        self.batch = batch

    def forward(self, x: torch.Tensor):
        self.weights = self.weights.to(x.device)
        return x * self.weights

    def score(self):
        self.batch = self.batch.to("cuda")  # sync: copy-to-device
        return self.forward(self.batch).sum()


def train(model: Priors, loader: torch.utils.data.DataLoader, optimizer):
    for batch in loader:
        model.take(batch)
        loss = model.score()
        loss.backward()
        optimizer.step()


class Scheduler:
    def __init__(self, steps: int):
        self.log_at = torch.linspace(1, 0, steps)

    def set_timesteps(self, count: int, device: torch.device):
        self.timesteps = torch.arange(count, device=device)
        self.log_at = self.log_at.to(device)
