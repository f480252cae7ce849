"""Options that are stored several at a time."""
import torch
from torch import nn


class Trainer:
    def __init__(self, model, shown=False, kept=True, rest=(False, False)):
        self.model, self.shown, self.kept = model.cuda(), shown, kept
        self.first, *self.others = rest
        self.second, self.third = rest
        self.count = self.total = 0
        self.every, self.last = 0, False

    def fit(self, count, told=False):
        speaks, counts = told, count
        for i in range(counts):
            loss = self.model(torch.randn(4, 8, device="cuda")).mean()
            loss.backward()
            if self.shown:
                print(loss.item())  # sync: host-read note
            if self.kept:
                print(loss.item())  # sync: host-read
            if self.first or self.second:
                print(loss.item())  # sync: host-read note
            if self.total:
                print(loss.item())  # sync: host-read
            if self.every:
                print(loss.item())  # sync: host-read note
            if self.last:
                print(loss.item())  # sync: host-read
            if speaks:
                print(loss.item())  # sync: host-read note
            self.total += 1

    def end(self, last):
        self.last, self.counted = last, 1
