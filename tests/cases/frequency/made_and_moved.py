"""A method that gives its own object, as `model.to(device)` does, makes none: the class is still made only with the option."""
import torch
from torch import nn


class Large(nn.Module):
    def forward(self, x):
        return x * x.mean().item()  # sync: host-read note


class Small(nn.Module):
    def forward(self, x):
        return x * x.std().item()  # sync: host-read


def load(name: str, device="cpu"):
    if name == "large":
        model = Large()
    elif name == "small":
        model = Small()
    else:
        raise ValueError(name)
    return model.to(device)


class Detector:
    def __init__(self, kind=None, device="cuda"):
        self.model = None
        if kind is not None:
            self.model = load(kind, device=device)

    def __call__(self, x: torch.Tensor):
        return self.model(x)


def create(kind: str = "small", device: str = "cuda"):
    return Detector(kind=kind, device=device)
