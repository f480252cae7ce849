"""What a base class calls of itself is called of its subclasses too, where nobody makes the base: the work of each round is done in
each round. Of a base that is made in sight only its own is called."""
import torch
import torch.nn.functional as F
from torch import nn


class Client:
    def __init__(self, model: nn.Module, loader):
        self.model = model
        self.loader = loader

    def fit(self):
        return 0

    def update(self):
        return self.fit()


class Proximal(Client):
    def fit(self):
        self.model.to("cuda")
        total = 0.0
        for x, y in self.loader:
            loss = F.cross_entropy(self.model(x.to("cuda")), y.to("cuda"))  # sync: copy-to-device x2
            loss.backward()
            total += loss.item()  # sync: host-read
        self.model.cpu()  # sync: copy-to-host note
        return total


def run(clients: list[Client], rounds):
    for _ in range(rounds):
        for client in clients:
            client.update()


class Tool:
    def __init__(self, model: nn.Module):
        self.model = model

    def prepare(self):
        return self.model

    def answer(self, x):
        return self.prepare()(x)


class Other(Tool):
    def prepare(self):
        return self.model.cpu()


def ask(model, questions):
    tool = Tool(model)
    return [tool.answer(x) for x in questions]
