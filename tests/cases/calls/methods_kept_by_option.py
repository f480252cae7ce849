"""A method that is put into an attribute only with an option runs only then, by whatever name it is called."""
import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self, packed=True):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        if packed:
            self.forward = self.of_packed
        else:
            self.forward = self.of_padded

    def of_packed(self, x):
        print(x.sum().item())  # sync: host-read
        return self.layer(x)

    def of_padded(self, x):
        print(x.max().item())  # sync: host-read note
        return self.layer(x)


def train(loader):
    reader = Reader().cuda()
    optimizer = torch.optim.SGD(reader.parameters(), 0.1)
    for x in loader:
        reader(x.cuda(non_blocking=True)).sum().backward()
        optimizer.step()
