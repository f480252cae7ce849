"""Parts of what forward is given that are only sizes, flags or limits are numbers; what goes over a tensor gives tensors."""
import torch
from torch import nn


class Window(nn.Module):
    def forward(self, x, input_size):
        height, width = input_size
        batch, length, channels = x.shape
        if length != height * width:
            raise ValueError("wrong size")
        return x.view(batch, height, width, channels)


class Dropping(nn.Module):
    def forward(self, inputs):
        x, rate, switch = inputs
        if rate > 0.0 and switch:
            x = x * (torch.rand_like(x) > 0.5)
        return x.softmax(-1)


class Merge(nn.Module):
    def forward(self, hidden, sizes: torch.Tensor):
        start = 0
        for height, width in sizes:
            rows = height * width
            hidden[start : start + rows] *= 2
            start = start + rows
        return hidden
