from functools import partial, wraps
import time
import torch
from torch import nn
import torchvision

_MODELS = {}
_OPTIMS = {"sgd": partial(torch.optim.SGD, momentum=0.9), "adamw": torch.optim.AdamW}


def register_model(fn):
    _MODELS[fn.__name__] = fn

    @wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


@register_model
def resnet18(dim=128):
    m = torchvision.models.resnet18(weights=None)
    m.fc = nn.Linear(512, dim)
    return m


@register_model
def resnet50(dim=128):
    m = torchvision.models.resnet50(weights=None)
    m.fc = nn.Linear(2048, dim)
    return m


def create_model(name, **kwargs):
    return _MODELS[name](**kwargs)


def create_optimizer(name, params, **kwargs):
    return _OPTIMS[name](params, **kwargs)


def timed(fn):
    @wraps(fn)
    def inner(self, *args, **kwargs):
        t = time.time()
        out = fn(self, *args, **kwargs)
        self.times[fn.__name__] = self.times.get(fn.__name__, 0) + time.time() - t
        return out

    return inner
