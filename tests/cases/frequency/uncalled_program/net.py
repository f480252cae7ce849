import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)

    @torch.no_grad()
    def predict(self, x):
        return self.layer(x.cuda()).argmax(-1).tolist()

    def preview(self, x, n=32):
        for _ in range(n):
            x = self.layer(x)
            if x.argmax().item() == 3:
                break
        return x


class Unmade(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x) * x.max().item()
