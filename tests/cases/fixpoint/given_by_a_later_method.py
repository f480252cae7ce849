"""What a method gives an attribute is known before another one reads it, whichever of them stands first."""
import pytorch_lightning as pl


class Throughput(pl.Callback):
    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
        self.seen += batch["rgb"].size(0)  # is: number

    def on_train_epoch_end(self, trainer, module):
        count = self.seen + 1  # is: number

    def on_train_epoch_start(self, trainer, module):
        self.seen = 0
