import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.body = nn.Linear(dim, dim)
        self.register_buffer("limit", torch.tensor(10.0))

    def forward(self, x):
        h = self.body(x)
        if h.norm() > self.limit:
            h = h / h.norm()
        return h
