"""An option that is off by default is asked for in a function that another one holds, and by many callers. What switches a GPU on is no
such option: what is told is of a run on one."""
import torch
from torch import nn


def norm_of(x, tracked=None):
    if tracked is None:
        return x
    print(x.norm().item())  # sync: host-read note
    return x


class Base:
    def __init__(self, model, cuda):
        self.cuda = cuda
        self.model = model.cuda() if cuda else model


class Trainer(Base):
    def __init__(self, model, cuda=False, clip=0, gpu=None):
        super().__init__(model, cuda)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.clip = clip
        self.gpu = gpu

    def fit(self, loader, verbose=False):
        def closure(x, y):
            loss = nn.functional.mse_loss(self.model(x), y)
            if verbose:
                print(loss.item())  # sync: host-read note
            for name in ("a", "b"):
                norm_of(x, None), norm_of(y), norm_of(x, name if verbose else None)
            norm_of(x), norm_of(y), norm_of(x), norm_of(y), norm_of(x), norm_of(y), norm_of(x)
            loss.backward()
            return loss

        for x, y in loader:
            if self.cuda:
                x, y = x.cuda(), y.cuda()  # sync: copy-to-device x2
            if self.gpu is not None:
                x = x.cpu().cuda(self.gpu)  # sync: copy-to-host, copy-to-device
            loss = closure(x, y)
            if self.clip > 0:
                print(loss.item())  # sync: host-read note
            self.optimizer.step()


def tensor_of(x, gpu=False):
    x = torch.as_tensor(x)
    if gpu and torch.cuda.is_available():
        x = x.cuda()  # sync: copy-to-device note
    return x


def sums(model, rows):
    for row in rows:
        loss = model(tensor_of(row)).sum()
        loss.backward()
