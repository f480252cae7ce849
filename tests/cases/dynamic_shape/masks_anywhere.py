# options: --min-confidence possible
"""A mask that was computed is one, wherever it is: it is not known where the tensors are, and in the run that is priced that is the
GPU. An index of which nobody knows whether it is a mask or positions says nothing."""
import torch
from torch import nn

from elsewhere import angles, chosen


class Turn(nn.Module):
    def forward(self, x):
        angle = torch.abs(angles())  # is: tensor
        rest = torch.sqrt(angles())
        small = angle < 1e-6  # is: tensor bool
        turned = torch.zeros_like(angle)
        turned[small] = 1 - rest[small] / 6  # sync: dynamic-shape possible x2
        turned[~small] = rest[~small].sin()  # sync: dynamic-shape possible x2
        kept = torch.abs(chosen())
        return turned[kept] + rest[kept] + x
