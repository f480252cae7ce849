"""Many calls of a deep model before the loop: each layer is a call, whatever the description of its shapes does."""
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(width, width) for _ in range(8)])

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


model = nn.Sequential(*[Block(16) for _ in range(24)]).cuda()
for _ in range(40):
    model(torch.zeros(2, 16, device="cuda"))
for _ in range(1000):
    y = model(torch.zeros(4, 16, device="cuda"))  # is: cuda float | cuda float (4, 16)
