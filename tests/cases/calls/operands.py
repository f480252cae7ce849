"""What an operand may be is what its operator takes: a size that is a number or a pair divides as a number."""
import torch
from torch import nn


class Window(nn.Module):
    def __init__(self, dim, heads, head_dim=None):
        super().__init__()
        head_dim = head_dim or dim // heads
        self.scale = head_dim ** -0.5
        self.shift = None
        self.project = nn.Linear(16, 16)

    def reset(self, shift):
        self.shift = shift

    def forward(self, x):
        x = self.project(x * self.scale)
        return x + self.shift


def size_of(wide):
    return (4, 4) if wide else 16


model = Window(size_of(True), 4).cuda()
other = Window(size_of(False), 4).cuda()
model.reset(0.5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    x = torch.randn(8, 16, device="cuda")
    loss = (model(x) + other(x)).square().mean()
    loss.backward()
    optimizer.step()
