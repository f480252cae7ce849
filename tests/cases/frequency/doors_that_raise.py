"""What may not be done twice: behind a raise for what is there already, the rest runs once."""
import torch


class Feed:
    def __init__(self, model):
        self.model = model
        self.started = None
        self.closed = None

    def start(self, x):
        if self.started is not None:
            raise RuntimeError("started already")
        self.started = torch.zeros(4)
        print(x.sum().item())

    def turn(self, x):
        if self.closed is not None:
            raise RuntimeError("closed")
        print(x.sum().item())  # sync: host-read

    def close(self):
        self.closed = True


def train(model, optimizer, steps):
    feed = Feed(model)
    for step in range(steps):
        x = model(torch.ones(8, device="cuda"))
        feed.start(x)
        feed.turn(x)
        optimizer.zero_grad()
        x.sum().backward()
        optimizer.step()
    feed.close()


net = torch.nn.Linear(8, 8).cuda()
train(net, torch.optim.SGD(net.parameters(), lr=0.1), 50)
