"""What a constructor hands on by *args and **options is what its callers give, and the default where they give nothing."""
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, size, *, penalty=None, checked=False, traced=False):
        super().__init__()
        if isinstance(penalty, dict):
            self.penalty = nn.Linear(**penalty)
        else:
            self.penalty = penalty
        self.checked = checked
        self.traced = traced
        self.layer = nn.Linear(size, size)

    def forward(self, x):
        x = self.layer(x)
        if self.penalty is not None:
            print(x.sum().item())  # sync: host-read
        if self.checked:
            print(x.min().item())  # sync: host-read note
        if self.traced:
            print(x.max().item())  # sync: host-read
        return x


class Model(Base):
    def __init__(self, name, *args, **options):
        super().__init__(*args, **options)
        self.name = name


class Rows:
    """Parts of a batch: the loop over them is within one that runs without the option."""

    def __init__(self, rows=None):
        self.rows = rows

    def show(self, x):
        if self.rows is not None:
            for part in torch.split(x, self.rows):
                print(part.cpu())  # sync: copy-to-host


def run(rows=None, penalty=None):
    model = Model("one", 3, traced=True, penalty=penalty).cuda()
    shown = Rows(rows=rows)
    for step in range(1000):
        x = model(torch.ones(3, 3, device="cuda"))
        shown.show(x)

