"""A hook that a base class leaves to its subclasses, in a program that makes nothing: who may fill it in is asked first here."""
import torch
from torch import nn


class Metric(nn.Module):
    def forward(self, x, y):
        return self.compute(self.features(x), y)

    def features(self, x):
        pass

    def compute(self, x, y):
        return (x - y).mean()


class Peak(Metric):
    def features(self, x):
        if x.max() > 1:  # sync: tensor-truth likely
            x = x / 255
        return x
