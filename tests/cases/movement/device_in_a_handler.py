# options: --min-confidence possible
"""The device of an attack is asked of the model that it is given, and None where that fails: in the run that is priced it
is the GPU. What a constructor takes and callers may leave out is None for those that do; what is None until somebody sets
it is not None where it is used."""
import torch
from torch import nn


class Attack:
    def __init__(self, model):
        self.model = model
        try:
            self.device = next(model.parameters()).device
        except Exception:
            self.device = None
            print("no device was found, call set_device()")

    def set_device(self, device):
        self.device = device

    def __call__(self, images, labels):
        if images.min() < 0 or images.max() > 1:
            images = self.unnormalized(images)
        return self.forward(images, labels)


class RandomStart(Attack):
    def __init__(self, model, eps=8 / 255, steps=10):
        super().__init__(model)
        self.eps, self.steps = eps, steps

    def forward(self, images, labels):
        images = images.clone().detach().to(self.device)  # is: cuda likely
        labels = labels.clone().detach().to(self.device)
        start = (2 * torch.rand(images.shape) - 1).to(self.device)  # sync: copy-to-device likely
        adv = images + self.eps * start
        wrong = (self.model(adv).argmax(1) != labels).nonzero()  # sync: dynamic-shape likely
        return adv, wrong


def placed(rows, sharded):
    device = None
    if sharded:
        device = torch.device("cuda")
    return torch.tensor(rows).to(device)  # sync: copy-to-device likely


def evaluate(tables, sharded, loader):
    for rows in loader:
        print(placed(rows, sharded).shape, tables)


class Reader:
    def __init__(self, rows, device=None):
        self.rows = rows
        self.device = device

    def __call__(self, index: int):
        return torch.tensor(self.rows[index]).to(self.device)


class Server:
    def __init__(self, rows):
        self.rows = rows
        self.device = None

    def set_device(self, device):
        self.device = device

    def serve(self, queue):
        for index in queue:
            yield torch.tensor(self.rows[index]).to(self.device)  # sync: copy-to-device possible
