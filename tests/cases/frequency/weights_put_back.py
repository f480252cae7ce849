"""Who reads a checkpoint from a file starts up, wherever that is called. Who gives a model weights that the program has does so
again and again where a loop in sight calls it: each round, each evaluation."""
import argparse
from contextlib import contextmanager

import torch
from torch import nn


class Physics:
    def __init__(self, args):
        self.args = args
        self.net = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 1)).cuda()
        self.points = torch.rand(1000, 2, device="cuda")
        self.adam = torch.optim.Adam(self.net.parameters())
        self.best = None

    def loss(self):
        return self.net(self.points).pow(2).mean()

    def closure(self):
        self.optimizer.zero_grad()
        loss = self.loss()
        loss.backward()
        return loss

    def train_adam(self):
        for i in range(self.args.steps):
            loss = self.loss()
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
        self.best = {k: v.detach().clone() for k, v in self.net.state_dict().items()}

    def train_lbfgs(self):
        self.optimizer = torch.optim.LBFGS(self.net.parameters(), max_iter=self.args.inner)
        final = self.optimizer.step(self.closure)  # sync: library-wait likely
        if not torch.isfinite(final):  # sync: tensor-truth
            self.net.load_state_dict(self.best)

    def train(self):
        for part in range(self.args.rounds):
            self.train_adam()
            self.train_lbfgs()


def load(path, model):
    state = torch.load(path, map_location="cuda")
    model.load_state_dict(state["model"])
    return state["scale"].item()


def fit(name, args, loader):
    model = nn.Linear(8, 1)
    model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        for x, y in loader:
            loss = (model(x.cuda()) - y.cuda()).pow(2).mean()  # sync: copy-to-device, copy-to-device
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        torch.save(model.state_dict(), name)  # sync: copy-to-host note
    model.load_state_dict(torch.load(name, map_location="cuda"))
    return model


def copied(state):
    return {k: v.cpu().clone() for k, v in state.items()}  # sync: copy-to-host likely


@contextmanager
def swapped(model, state):
    old = copied(model.state_dict())
    model.load_state_dict(state)  # sync: copy-to-device likely
    try:
        yield
    finally:
        model.load_state_dict(old)  # sync: copy-to-device likely


def evaluate(model, best, loader):
    with swapped(model, best):
        for x, y in loader:
            print((model(x.cuda()) - y.cuda()).abs().mean().item())  # sync: copy-to-device, copy-to-device, host-read


def average(model, clients):
    """Federated: each round the clients start from the server's weights."""
    server = copied(model.state_dict())
    for part in range(20):
        for client in clients:
            train_client(client, server)


def train_client(client, server):
    client.model.load_state_dict(server)
    loss = client.model(client.data).mean()
    client.optimizer.zero_grad()
    loss.backward()
    client.optimizer.step()
    client.history.append(loss.item())  # sync: host-read likely


def start(model, server):
    model.load_state_dict(copied(server))
    model.bias.data.fill_(float(model.weight.max()))


def main(loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--inner", type=int, default=20)
    parser.add_argument("--names", nargs="+", default=["small", "large"])
    args = parser.parse_args()
    model = nn.Linear(2, 2).cuda()
    load("start.pt", model)
    start(model, model.state_dict())
    best = copied(model.state_dict())
    for part in range(10):
        evaluate(model, best, loader)
    average(model, [])
    Physics(args).train()
    for name in args.names:
        fit(name, args, loader)


if __name__ == "__main__":
    from batches import loader

    main(loader)
