import time
from pathlib import Path

import pytorch_lightning as pl
import torch
from torchvision.utils import make_grid, save_image


class SampleGridCallback(pl.Callback):
    def __init__(self, out_dir, n=8):
        self.out_dir = Path(out_dir)
        self.n = n
        self.batch = None

    def on_validation_batch_end(self, trainer, pl_module, outputs, batch, batch_idx, dataloader_idx=0):
        if batch_idx == 0:
            self.batch = {k: v[:self.n] for k, v in batch.items()}

    def on_validation_epoch_end(self, trainer, pl_module):
        if trainer.sanity_checking or self.batch is None:
            return
        with torch.no_grad():
            fake = pl_module(self.batch["gray"]).float()
        rows = torch.cat([self.batch["gray"].expand(-1, 3, -1, -1), fake, self.batch["rgb"]])
        self.out_dir.mkdir(parents=True, exist_ok=True)
        save_image(make_grid(rows.cpu(), nrow=self.n), self.out_dir / f"epoch_{trainer.current_epoch:03d}.png")


class ThroughputCallback(pl.Callback):
    def on_train_epoch_start(self, trainer, pl_module):
        self.t0 = time.perf_counter()
        self.seen = 0

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.seen += batch["rgb"].size(0)

    def on_train_epoch_end(self, trainer, pl_module):
        dt = time.perf_counter() - self.t0
        pl_module.log("perf/img_per_s", self.seen / dt)
        pl_module.print(f"epoch {trainer.current_epoch}: {self.seen / dt:.0f} img/s")
