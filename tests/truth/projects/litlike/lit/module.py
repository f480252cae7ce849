"""LightningModule in 60 lines. I did not want the dependency on the cluster."""
from typing import Any, Dict, Optional

import torch
import torch.nn as nn


class LitModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.trainer = None
        self._hparams: Dict[str, Any] = {}

    # --- things you override -------------------------------------------------
    def training_step(self, batch, batch_idx):
        raise NotImplementedError

    def validation_step(self, batch, batch_idx):
        pass

    def configure_optimizers(self):
        raise NotImplementedError

    def on_train_epoch_end(self):
        pass

    def on_validation_epoch_start(self):
        pass

    def on_validation_epoch_end(self):
        pass

    # --- conveniences ----------------------------------------------------------
    def save_hyperparameters(self, **kwargs):
        self._hparams.update(kwargs)

    @property
    def hparams(self):
        return self._hparams

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    @property
    def current_epoch(self) -> int:
        return self.trainer.current_epoch

    @property
    def global_step(self) -> int:
        return self.trainer.global_step

    def log(self, name: str, value, on_step: bool = False, on_epoch: bool = True, prog_bar: bool = False,
            batch_size: Optional[int] = None):
        self.trainer.results.add(name, value, on_step=on_step, on_epoch=on_epoch, prog_bar=prog_bar,
                                 batch_size=batch_size or 1)

    def log_dict(self, d, **kwargs):
        for k, v in d.items():
            self.log(k, v, **kwargs)
