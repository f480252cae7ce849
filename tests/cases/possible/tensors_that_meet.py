# options: --min-confidence possible
"""Where tensors meet, a wait hangs on what each of them is: one here and one there, a mask or positions as index. What is
not known of one of them is not guessed."""
import torch
from torch import nn


class Pick(nn.Module):
    def __init__(self, order, mask):
        super().__init__()
        self.order = order
        self.register_buffer("weight", torch.ones(8))

    def forward(self, x, index):
        rows = x[index]
        picked = x[self.order]
        out = torch.empty_like(x)
        out[0] = self.order.mean(0)
        return rows.sum() + picked.sum() + out.sum() + x[:, 0].sum()

    def one_by_one(self, x: torch.Tensor, steps):
        return [x[row] for row in steps.unsqueeze(0)]


class Known(nn.Module):
    def forward(self, x):
        mask = x > 0
        where = torch.arange(4)
        rows = x[mask]  # sync: dynamic-shape likely
        return rows.sum() + x[where].sum()  # sync: index-from-host likely


def size_of(shape, x):
    return shape.unsqueeze(0).prod() + x.detach().cumprod(0).sum()


class Twice(nn.Module):
    """Its input comes from either side; where the other tensor is, both are."""

    def forward(self, x, early: bool):
        state = torch.zeros(8) if early else x
        state = x + state.to(x.device)
        return state
