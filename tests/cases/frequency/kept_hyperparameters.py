"""What a framework keeps of a constructor's parameters has their defaults, in `self.hparams` as in self."""
import torch
from lightning.pytorch import LightningModule
from torch import nn


class Plain(LightningModule):
    def __init__(self, size, verbose=False, clip=0.0, every=True):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Linear(size, size)

    def training_step(self, batch, batch_idx):
        loss = self.net(batch[0]).mean()
        if self.hparams.verbose:
            print(loss.item())  # sync: host-read note
        if self.hparams.clip > 0 and loss > self.hparams.clip:  # sync: tensor-truth note
            loss = loss * 0
        if self.hparams.every:
            print(loss.item())  # sync: host-read
        return loss


class Configured(LightningModule):
    def __init__(self, config, verbose=False):
        super().__init__(config)
        self.net = nn.Linear(8, 8)

    def training_step(self, batch, batch_idx):
        loss = self.net(batch[0]).mean()
        if self.config.verbose:
            print(loss.item())  # sync: host-read
        return loss
