"""A module that is moved in place is moved under every name that it has, and no other is."""
import torch
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, net, teacher):
        self.net = net
        self.teacher = teacher
        net.cuda()

    def fit(self, loader):
        optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        for epoch in range(10):
            for x, y in loader:
                loss = (self.net(x.cuda()) - y.cuda()).pow(2).mean()  # sync: copy-to-device, copy-to-device
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            torch.save(self.net.state_dict(), f"{epoch}.pt")  # sync: copy-to-host note
            torch.save(self.teacher.state_dict(), "teacher.pt")


Trainer(nn.Linear(8, 8), nn.Linear(8, 4).cpu()).fit(DataLoader(torch.load("data.pt"), 32))


class Pair:
    """Two of a class, of which one is moved each epoch."""

    def run(self, loader):
        online, target = nn.Linear(8, 8), nn.Linear(8, 8)
        online.to("cuda")
        for epoch in range(10):
            for x, y in loader:
                online(x.cuda()).sum().backward()  # sync: copy-to-device
            target.load_state_dict({key: value.cpu() for key, value in online.state_dict().items()})  # sync: copy-to-host note
            torch.save(target.state_dict(), "target.pt")


Pair().run(DataLoader(torch.load("data.pt"), 32))
