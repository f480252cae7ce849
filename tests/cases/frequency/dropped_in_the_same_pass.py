"""What is made where it is missing, and dropped again in the same pass, is made in every pass."""
import torch


class Guided:
    def __init__(self, always=True):
        self.always = always
        self.masks = None

    def _reset(self):
        self.masks = None

    def __call__(self, x, lengths):
        if self.masks is None:
            self.masks = torch.ones(len(lengths)).to(x.device)  # sync: copy-to-device
        loss = (x * self.masks).sum()
        if self.always:
            self._reset()
        return loss


class Once:
    def __init__(self):
        self.masks = self.table = None

    def clear(self):
        self.masks = self.table = None

    def __call__(self, x, lengths, fresh=False):
        if fresh:
            self.clear()
        if self.masks is None:
            self.masks = torch.ones(len(lengths)).to(x.device)
        if self.table is None:
            self.table = torch.ones(3).to(x.device)  # sync: copy-to-device
        total = (x * self.masks).sum() + self.table.sum()
        self.table = None
        return total


def train(model, loader, optimizer, guided: Guided, once: Once):
    for x, lengths in loader:
        x = model(torch.randn(8, device="cuda"))
        loss = guided(x, lengths) + once(x, lengths)
        loss.backward()
        optimizer.step()
