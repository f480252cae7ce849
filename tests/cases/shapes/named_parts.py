"""Parts of a model that are asked for by name: of a ModuleDict, as nanoGPT does, and of a class with `__getattr__`."""
import torch
import torch.nn as nn


class Inside:
    def __init__(self, part):
        self.part = part

    def __getattr__(self, name):
        return getattr(self.part, name)


class Endless:
    def __getattr__(self, name):
        return self.nothing


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict(dict(first=nn.Linear(8, 16), more=nn.ModuleList([nn.Linear(16, 16) for _ in range(2)])))
        self.last = nn.ModuleDict({"head": nn.Linear(16, 32)})
        self.around = Inside(self.last)

    def forward(self, x):
        x = self.layers.first(x)  # is: cuda float (4, 16)
        for layer in self.layers.more:
            x = layer(x)  # is: cuda float (4, 16)
        x = self.layers["more"][0](x)
        self.around.head(x)  # is: cuda float (4, 32)
        Endless().head(x)
        return self.last.head(x)


net = Net().cuda()
for _ in range(100):
    y = net(torch.zeros(4, 8, device="cuda"))  # is: cuda float (4, 32)
    y.sum().backward()
