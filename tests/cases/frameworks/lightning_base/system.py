import torch
from torch import nn

from base import Base, Made


class System(Base):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))
        self.register_buffer("counts", torch.zeros(4))
        self.history = []

    def forward(self, x):
        return self.net(x)

    def criterion(self, out, y):
        weight = torch.tensor([1.0, 1.0, 2.0, 4.0], device=self.device)  # sync: tensor-from-host likely
        return nn.functional.cross_entropy(out, y, weight=weight)

    def after_step(self, out, y):
        self.counts += torch.bincount(out.argmax(-1), minlength=4)  # sync: dynamic-shape likely

    def on_numbers(self, count, names):
        self.history.append(float(count))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


class Written(Made):
    def seen(self, out):
        self.text = str(len(out))
