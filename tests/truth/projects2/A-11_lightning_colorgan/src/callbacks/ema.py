from __future__ import annotations

import pytorch_lightning as pl
import torch


class EMACallback(pl.Callback):
    """Keeps an exponential moving average of the generator, swapped in for validation and test."""

    def __init__(self, decay: float = 0.99, attr: str = "generator"):
        self.decay = decay
        self.attr = attr
        self.shadow: dict[str, torch.Tensor] = {}
        self.backup: dict[str, torch.Tensor] = {}

    def _module(self, pl_module):
        return getattr(pl_module, self.attr)

    def on_train_start(self, trainer, pl_module):
        self.shadow = {k: v.detach().clone() for k, v in self._module(pl_module).state_dict().items()}

    @torch.no_grad()
    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        for k, v in self._module(pl_module).state_dict().items():
            if v.dtype.is_floating_point:
                self.shadow[k].lerp_(v.detach(), 1 - self.decay)
            else:
                self.shadow[k].copy_(v)

    def _swap_in(self, pl_module):
        m = self._module(pl_module)
        self.backup = {k: v.detach().cpu().clone() for k, v in m.state_dict().items()}
        m.load_state_dict(self.shadow)

    def _swap_out(self, pl_module):
        if self.backup:
            self._module(pl_module).load_state_dict(self.backup)
            self.backup = {}

    def on_validation_start(self, trainer, pl_module):
        if self.shadow:
            self._swap_in(pl_module)

    def on_validation_end(self, trainer, pl_module):
        self._swap_out(pl_module)

    def on_test_start(self, trainer, pl_module):
        if self.shadow:
            self.shadow = {k: v.to(pl_module.device) for k, v in self.shadow.items()}
            self._swap_in(pl_module)

    def on_test_end(self, trainer, pl_module):
        self._swap_out(pl_module)
