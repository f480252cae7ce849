"""No file names a GPU or takes a place for one: a parameter of forward may be on the CPU, so nothing is told by default."""
from torch import nn


class Decoder(nn.Module):
    def __init__(self, size=8):
        super().__init__()
        self.layer = nn.Linear(size, size)

    def forward(self, x, lengths):
        return self.layer(x)[:, : int(lengths.max())]
