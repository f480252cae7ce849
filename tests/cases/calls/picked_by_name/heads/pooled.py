from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        keep = x.norm(dim=1).nonzero()  # sync: dynamic-shape
        return self.fc(x) + 0 * len(keep)
