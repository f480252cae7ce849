from torch import nn


class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        assert x.isfinite().all()  # sync: tensor-truth
        return self.fc(x)


def tiny():
    return Tiny()


def wide():
    return nn.Linear(8, 8)
