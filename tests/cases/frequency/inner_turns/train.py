"""A turn that is one of some: by its number or what is left of it. What counts its own turns in each call begins with the first. An object
that is moved when it is elsewhere is there from then on, whichever base class moves it."""
import torch
from mover import Movable
from torch import nn

model = nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)


def transport(x):
    error, turn = 1, 0
    while error > 0.1 and turn < 100:
        x = x / 2
        if turn % 50 == 1:
            error = x.sum().item()  # sync: host-read
        turn += 1
    for i in range(10):
        if i % 5 == 0:
            print(x.mean().item())  # sync: host-read
    return x


class Graph(Movable):
    def __init__(self):
        super().__init__()
        self.cache["kept"] = torch.ones(8)

    def smooth(self, x):
        if self.device != x.device:
            self.to(x.device)
        return self.cache["kept"] * x

    def to(self, device):
        return super().to(device)


def train(length, marks, often=1):
    graph = Graph()
    step = 0
    for epoch in range(10):
        for i in range(1000):
            loss = transport(graph.smooth(model(torch.randn(8, 8, device="cuda")))).mean()
            loss.backward()
            optimizer.step()
            step += 1
            if step % length in marks:
                print(loss.item())  # sync: host-read note
            if step in (100, 200, 300):
                print(loss.item())  # sync: host-read note
            if step % length in marks and (epoch % often == 0 or epoch == 9):
                print(loss.item())  # sync: host-read note
            if step not in marks:
                continue
            print(loss.item())  # sync: host-read note


train(100, [10, 20])
