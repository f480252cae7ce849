"""A number that is logged is made a tensor on the module's device; what callbacks are told of is there as well."""
import lightning.pytorch as pl
import torch
import torch.nn.functional as F


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(16, 4)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.lin(x), y)
        self.log("loss", loss)
        self.log("lr", self.trainer.optimizers[0].param_groups[0]["lr"])  # sync: library-wait
        self.log("rows", float(x.shape[0]))  # sync: library-wait
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        total = 0
        for view in x.chunk(2):
            total += self.lin(view).mean()
        self.log("total", total)


class Summary(pl.Callback):
    def on_train_epoch_end(self, trainer, pl_module):
        print(trainer.callback_metrics["loss"].item())  # sync: host-read note
