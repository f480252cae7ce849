"""What an option's branch and what runs without it both lead to needs no option."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        y = self.layer(x)
        return y[y.sum(1) > 0]  # sync: dynamic-shape

    def predict(self, x, features=False):
        if features:
            return self.forward(x)
        return self.forward(x)


def run(features=False):
    model = Model().cuda()
    for i in range(1000):
        model.predict(torch.randn(8, 8, device="cuda"), features)


run()
