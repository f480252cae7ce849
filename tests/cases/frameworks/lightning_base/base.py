"""A module whose subclasses say what its steps leave out: a loss that it does not have, a hook that does nothing."""
import pytorch_lightning as pl
import torch


class Base(pl.LightningModule):
    def shared_step(self, batch, stage):
        x, y = batch
        out = self(x)
        loss = self.criterion(out, y)
        self.log(f"{stage}_loss", loss)
        self.after_step(out, y)
        self.on_numbers(3, None)
        return loss

    def after_step(self, out, y):
        pass

    def on_numbers(self, count, names):
        """For subclasses that want to know."""

    def training_step(self, batch, batch_idx):
        return self.shared_step(batch, "train")

    def validation_step(self, batch, batch_idx):
        self.shared_step(batch, "val")


class Made:
    """Who makes one of these means this very class: no other fills in its hook."""

    def __init__(self, model):
        self.model = model.cuda()

    def run(self, loader):
        for x in loader:
            self.seen(self.model(x.cuda(non_blocking=True)))

    def seen(self, out):
        pass


def run_made(model, data):
    Made(model).run(torch.utils.data.DataLoader(data, pin_memory=True))
