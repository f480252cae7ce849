"""A run validates after each epoch, and tests or predicts once."""
import lightning.pytorch as pl
import torch
from torch import nn


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(10, 10)
        self.scores = []

    def training_step(self, batch, batch_idx):
        return self.body(batch).mean()

    def validation_step(self, batch, batch_idx):
        self.scores.append(self.body(batch).mean())

    def test_step(self, batch, batch_idx):
        self.scores.append(self.body(batch).mean())

    def on_validation_epoch_end(self):
        print(torch.stack(self.scores).mean().item())  # sync: host-read note
        self.scores.clear()

    def on_test_epoch_end(self):
        print(torch.stack(self.scores).mean().item())
        for batch in self.trainer.test_dataloaders:
            print(self.body(batch.to(self.device)).mean().item())  # sync: host-read


class Shared(pl.LightningModule):
    def on_validation_epoch_end(self):
        torch.cuda.synchronize()  # sync: explicit-sync note

    def on_test_epoch_end(self):
        self.on_validation_epoch_end()
