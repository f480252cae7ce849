# options: --min-confidence possible
"""What raises in the first turn of a loop is not done in a second one: an attribute that no class gives, a variable that nothing
was assigned to yet, a call of what raises. What a handler catches, or an if skips, is no such thing."""
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model.cuda()
        self.optimizer = optimizer

    def score(self, outputs, batch):
        return self.make_cases(outputs, batch).mean()

    def log(self, loss):
        self.history.append(loss.item())

    def fit(self, loader):
        for x, y in loader:
            loss = F.cross_entropy(self.model(x.cuda()), y.cuda())  # sync: copy-to-device possible, copy-to-device possible
            loss.backward()
            self.optimizer.step()
            print(loss.item(), self.score(x, y))  # sync: host-read possible

    def fit_some(self, loader, verbose):
        for x, y in loader:
            loss = F.cross_entropy(self.model(x.cuda()), y.cuda())  # sync: copy-to-device certain, copy-to-device certain
            loss.backward()
            self.optimizer.step()
            if verbose:
                print(self.score(x, y))
            try:
                self.score(x, y)
            except AttributeError:
                pass
            print(loss.item())  # sync: host-read certain

    def fit_and_end(self, loader):
        for x, y in loader:
            loss = F.cross_entropy(self.model(x.cuda()), y.cuda())  # sync: copy-to-device certain, copy-to-device certain
            loss.backward()
            self.optimizer.step()
        print(self.score(None, None))


class Callback(Trainer):
    def on_start(self):
        self.history = []


def total_of(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())  # sync: copy-to-device possible, copy-to-device possible
        loss.backward()
        optimizer.step()
        total = total + loss.item()  # sync: host-read possible
    return total


def mean_of(model, loader, optimizer):
    model.cuda()
    total = None
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())  # sync: copy-to-device certain, copy-to-device certain
        loss.backward()
        optimizer.step()
        total = loss.item() if total is None else total + loss.item()  # sync: host-read certain, host-read likely
    return total


class Maintainer(object):
    def __init__(self, model, optimizer, device):
        self.model, self.optimizer, self.device = model.cuda(device), optimizer, device
        self.cuda = device is not None


class Client(Maintainer):
    def fit(self, loader):
        for x, y in loader:
            loss = F.cross_entropy(self.model(x.cuda(self.gpu)), y.cuda(self.gpu))  # sync: copy-to-device possible, copy-to-device possible
            loss.backward()
            self.optimizer.step()

    def fit_there(self, loader):
        for x, y in loader:
            loss = F.cross_entropy(self.model(x.cuda(self.device)), y.cuda(self.device))  # sync: copy-to-device certain, copy-to-device certain
            loss.backward()
            self.optimizer.step()

    def fit_on_either(self, loader):
        for x, y in loader:
            if self.cuda:
                x, y = x.cuda(self.gpu), y.cuda(self.gpu)  # sync: copy-to-device possible, copy-to-device possible
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            print(loss.item())  # sync: host-read possible
