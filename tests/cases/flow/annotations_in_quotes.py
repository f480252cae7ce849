# Annotations in quotes and dotted ones name the same classes as plain ones; loaders that are kept are loaders.
from typing import TYPE_CHECKING

import torch
import torch.utils.data
from torch import nn

if TYPE_CHECKING:
    from torch import Tensor


class Meter:
    def __init__(self, name: "str"):
        self.name = name

    def update(self, loss: "Tensor", count: "int"):
        print(self.name, loss.item(), int(count))  # sync: host-read


class Trainer:
    def __init__(self, model: nn.Module, train_loader, extra: torch.utils.data.DataLoader, meter: "Meter"):
        self.model = model.cuda()
        self.train_loader = train_loader
        self.extra = extra
        self.meter = meter

    def fit(self):
        for images in self.train_loader:
            self.meter.update(self.model(images.cuda()).mean(), 1)  # sync: copy-to-device
        for images in self.extra:
            self.model(images.cuda()).mean().backward()  # sync: copy-to-device


def shown(scores: "torch.Tensor", title: "str"):
    for _ in range(3):
        print(title, scores.max().item())  # sync: host-read
