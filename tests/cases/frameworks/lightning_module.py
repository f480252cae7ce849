"""self.log keeps tensors; a value that the user reads in training_step waits."""
import pytorch_lightning as pl
import torch
import torch.nn.functional as F

class Classifier(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(16, 4)
        self.history = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.lin(x), y)
        self.history.append(loss.item())  # sync: host-read
        if torch.isnan(loss):  # sync: tensor-truth
            return None
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())
