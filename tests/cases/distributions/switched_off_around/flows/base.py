import torch
from torch import nn
from torch.distributions import Distribution

Distribution._validate_args = False


class Flow(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.shift = nn.Linear(width, width)

    def forward(self, x):
        return torch.distributions.Normal(self.shift(x), torch.ones_like(x)).log_prob(x)
