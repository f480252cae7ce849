"""Modules are compared by identity, and a dict is asked by its keys: no tensor's value decides."""
from typing import Dict, Union

import torch
from torch import nn


class Estimator:
    def __init__(self, lobe: nn.Module, lobe_timelagged=None, device=None):
        self.lobe = lobe
        self.lobe_timelagged = lobe_timelagged

    @property
    def lobe(self) -> nn.Module:
        return self._lobe

    @lobe.setter
    def lobe(self, value):
        self._lobe = value
        self._lobe = self._lobe.to(device=self.device)

    @property
    def lobe_timelagged(self) -> nn.Module:
        return self._lobe_timelagged

    @lobe_timelagged.setter
    def lobe_timelagged(self, value):
        if value is None:
            value = self.lobe
        self._lobe_timelagged = value
        self._lobe_timelagged = self._lobe_timelagged.to(device=self.device)

    def fetch(self):
        if self.lobe == self.lobe_timelagged:
            return self.lobe
        return None


def picked(grads: Union[Dict[str, torch.Tensor], torch.Tensor], names):
    if isinstance(grads, torch.Tensor):
        grads = {name: grads[i] for i, name in enumerate(names)}
    elif len(names) == 1:
        grads = grads.values()
    out = []
    for group in names:
        for name in group.names:
            if isinstance(grads, dict) and name in grads and grads[name] is not None:
                out.append(grads[name])
    return out


def train(model: nn.Module, loader, names):
    model.cuda()
    for x in loader:
        out = model(x.cuda())  # sync: copy-to-device
        picked(out, names)
        picked({"a": out}, names)
