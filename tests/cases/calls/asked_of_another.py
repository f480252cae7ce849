"""Objects that pass on what they are asked for: a callback has the learner's attributes, a wrapper those of what it
holds. Callbacks are called by the name of an event, through their class."""
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def to_device(batch):
    if isinstance(batch, (list, tuple)):
        return type(batch)(to_device(part) for part in batch)
    if isinstance(batch, dict):
        return batch.__class__({key: to_device(part) for key, part in batch.items()})
    return batch.to(device)  # sync: copy-to-device


class Callback:
    def set_runner(self, run):
        self.run = run

    def __getattr__(self, name):
        if name == "run":
            raise AttributeError(name)
        return getattr(self.run, name)

    def __call__(self, event):
        found = getattr(type(self), event, None)
        if found:
            found(self)


class ToDevice(Callback):
    def begin_batch(self):
        self.run.xb, self.run.yb = to_device((self.run.xb, self.run.yb))


class Recorder(Callback):
    def begin_fit(self):
        self.losses = []

    def after_loss(self):
        self.losses.append(self.loss.item())  # sync: host-read

    def after_epoch(self):
        print(self.epoch, self.seen, sum(self.losses))


class Wrapped:
    """What it has itself it is not asked for: `found` comes with the first batch."""

    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def score(self, out):
        if self.found is not None:
            print(len(self.found))
        self.found = [value for value in (out > self.limit).float().mean(1).tolist()]  # sync: host-read


class Limits:
    def __init__(self):
        self.limit = torch.zeros(1, device=device)
        self.found = torch.zeros(4, device=device)


class Learner:
    def __init__(self, model, loader, opt, cbs):
        self.model, self.loader, self.opt, self.cbs = model, loader, opt, cbs
        self.seen = 0
        for cb in self.cbs:
            cb.set_runner(self)

    def __call__(self, event):
        for cb in self.cbs:
            cb(event)

    def one_batch(self, xb, yb):
        self.xb, self.yb = xb, yb
        self("begin_batch")
        self.pred = self.model(self.xb)
        self.loss = F.cross_entropy(self.pred, self.yb)
        self("after_loss")
        self.loss.backward()
        self.opt.step()
        self.opt.zero_grad()
        self.seen += 1

    def fit(self, epochs):
        self("begin_fit")
        wrapped = Wrapped(Limits())
        for self.epoch in range(epochs):
            for xb, yb in self.loader:
                self.one_batch(xb, yb)
                wrapped.score(self.pred)
            self("after_epoch")


net = torch.nn.Linear(32, 10).to(device)
batches = DataLoader(torch.load("train.pt"), 32, shuffle=True)
Learner(net, batches, torch.optim.SGD(net.parameters(), lr=0.1), [ToDevice(), Recorder()]).fit(5)
