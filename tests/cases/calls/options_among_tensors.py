"""Options and tensors of a batch that go through one **mapping: an option is no tensor for sure."""
import torch
from torch import nn


def cast(fn):
    def inner(model, *args, **kwargs):
        keys = kwargs.keys()
        values = tuple(map(lambda t: t.cuda() if isinstance(t, torch.Tensor) else t, kwargs.values()))
        return fn(model, *args, **dict(tuple(zip(keys, values))))

    return inner


class Trainer(nn.Module):
    def __init__(self, net, loader):
        super().__init__()
        self.net = net.cuda()
        self.loader = loader
        self.only = None

    @cast
    def forward(self, *args, number=None, most=None, **kwargs):
        assert self.only is None or self.only == number, "only one"  # spurious: tensor-truth
        self.only = number
        loss = self.net(kwargs["images"]).mean()
        if most is not None and most > 1:
            loss = loss / most
        loss.backward()
        return loss

    def fit(self, names):
        for batch in self.loader:
            batch = [x.cuda() for x in batch]  # sync: copy-to-device
            named = dict(zip(names, batch))
            self.forward(**{"number": 1, **named})


def main(loader):
    Trainer(nn.Linear(8, 8), loader).fit(["images", "texts"])
