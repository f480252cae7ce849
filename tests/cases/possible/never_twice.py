# options: --min-confidence possible
"""What raises whenever it runs waits never: a name that nothing binds, a keyword that the class does not take. In a branch, or
behind a return, either may be right."""
import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width: int, depth: int = 2):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Renamed(nn.Module):
    """Encoder has been given other parameters since."""

    def __init__(self, config):
        super().__init__()
        self.encoder = Encoder(hidden=config.width, depth=config.depth)
        self.head = nn.Linear(config.width, 2)

    def training_loss(self, x, y):
        logits = self.head(self.encoder(x))
        zero = torch.tensor([0.0]).cuda()  # sync: copy-to-device possible
        return F.cross_entropy(logits, y) + zero

    def fit(self, loader, optimizer):
        for x, y in loader:
            loss = self.training_loss(x.cuda(), y.cuda())  # sync: copy-to-device possible, copy-to-device possible
            loss.backward()
            optimizer.step()
            print(loss.item())  # sync: host-read possible


class Fitting(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.encoder = Encoder(config.width, depth=config.depth)
        if config.tied:
            self.head = make_tied_head(config)
        else:
            self.head = nn.Linear(config.width, 2)

    def fit(self, loader, optimizer):
        for x, y in loader:
            loss = F.cross_entropy(self.head(self.encoder(x.cuda())), y.cuda())  # sync: copy-to-device certain, copy-to-device certain
            loss.backward()
            optimizer.step()
            print(loss.item())  # sync: host-read certain


def train_old(model, loader, optimizer):
    meter = AverageMeter("loss")
    model.cuda().train()
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())  # sync: copy-to-device possible, copy-to-device possible
        loss.backward()
        optimizer.step()
        meter.update(loss.item())  # sync: host-read possible


def train_new(model, loader, optimizer, history=None):
    model.cuda().train()
    if history is None:
        return None
    meter = AverageMeter("loss") if history == "meter" else history
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())  # sync: copy-to-device certain, copy-to-device certain
        loss.backward()
        optimizer.step()
        meter.append(loss.item())  # sync: host-read certain
        try:
            unicode(loss.shape)
        except NameError:
            pass
