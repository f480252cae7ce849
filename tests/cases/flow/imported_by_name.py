"""A library that is imported by its name, through a function that says None where it is missing, is that library."""
import importlib
from typing import Optional

from torch.utils.data import DataLoader


def try_import(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


torch = try_import("torch")


class Fit:
    def __init__(self, lobe: "torch.nn.Module", other: Optional["torch.nn.Module"] = None, device=None):
        self.device = device
        self.lobe = lobe
        self.other = other

    @property
    def lobe(self) -> "torch.nn.Module":
        return self._lobe

    @lobe.setter
    def lobe(self, value: "torch.nn.Module"):
        self._lobe = value
        self._lobe = self._lobe.float()
        self._lobe = self._lobe.to(device=self.device)

    @property
    def other(self) -> "torch.nn.Module":
        return self._other

    @other.setter
    def other(self, value: Optional["torch.nn.Module"]):
        if value is None:
            value = self.lobe
        self._other = value
        self._other = self._other.to(device=self.device)

    def fetch(self):
        if self.lobe == self.other:
            return 1
        return 2

    def fit(self, batches):
        optimizer = torch.optim.SGD(self.lobe.parameters(), 0.1)
        for x in batches:
            loss = self.lobe(torch.randn(4, 8, device="cuda")).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(loss.item())  # sync: host-read
