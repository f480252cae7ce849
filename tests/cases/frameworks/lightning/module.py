import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from torch import nn
from torchmetrics import Accuracy

from losses import FocalLoss


class LitClassifier(pl.LightningModule):
    def __init__(self, num_classes=10, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, num_classes))
        self.criterion = FocalLoss()
        self.outputs = []

    def forward(self, x):
        return self.net(x)

    def shared_step(self, batch):
        x, y = batch
        logits = self(x)
        return self.criterion(logits, y), (logits.argmax(1) == y).float().mean()

    def training_step(self, batch, batch_idx):
        loss, acc = self.shared_step(batch)
        self.log("train_loss", loss)
        if batch_idx % 100 == 0:
            print("acc", acc.item())  # sync: host-read note
        return loss

    def validation_step(self, batch, batch_idx):
        loss, acc = self.shared_step(batch)
        self.outputs.append(loss.cpu())  # sync: copy-to-host
        return {"loss": loss}

    def on_validation_epoch_end(self):
        mean = torch.stack(self.outputs).mean()
        self.log("val", mean.item())  # sync: library-wait note
        self.outputs.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
