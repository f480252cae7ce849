"""An option that a helper keeps, that goes through a dict of keywords, or that a variable has unless another option is given."""
import torch
from torch import nn


def exists(x):
    return x is not None


class Kept:
    def save_hyperparameters(self, values):
        for name, value in values.items():
            setattr(self, name, value)


class Trainer(Kept):
    def __init__(self, model, clip=0, every=10):
        self.save_hyperparameters(locals())
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, loader):
        for x, y in loader:
            loss = nn.functional.mse_loss(self.model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
            loss.backward()
            if self.clip > 0:
                print(loss.item())  # sync: host-read note
            if self.every > 0:
                print(loss.item())  # sync: host-read
            self.optimizer.step()


class Codebook(nn.Module):
    def __init__(self, size, dead=2, checked=False, bins=1):
        super().__init__()
        self.register_buffer("usage", torch.ones(size))
        self.replaces = dead > 0
        self.checked = checked

    def forward(self, x):
        if self.checked:
            print(x.norm().item())  # sync: host-read
        if not self.replaces:
            return x
        return x * self.usage.max().item()  # sync: host-read note


class Quantizer(nn.Module):
    def __init__(self, size, dead=0):
        super().__init__()
        options = dict(dead=dead, checked=True)
        if size > 1000:
            options = dict(**options, bins=8)
        self.codebook = Codebook(size, **options)

    def forward(self, x, mask=None, lengths=None):
        if exists(lengths):
            mask = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
        scale = None
        if scale is None:
            scale = x.std(0)
        if exists(mask):
            x = x[mask]  # sync: dynamic-shape
        if scale is not None:
            x = x / scale.max().item()  # sync: host-read
        return self.codebook(x)


class Mix:
    """What keeps the parameters is not in sight, and nobody makes one."""
    def __init__(self, alpha=1.0, uniform=True):
        store_attr()

    def training_step(self, batch, model):
        x = batch.cuda(non_blocking=True)
        loss = model(x).mean()
        if self.uniform:
            print(loss.item())  # sync: host-read
        else:
            print(loss.item())  # sync: host-read note
        return loss


class MixAndCut(Mix):
    def __init__(self, alpha=0.4, uniform=True):
        Mix.__init__(self, alpha, uniform)
        store_attr()
