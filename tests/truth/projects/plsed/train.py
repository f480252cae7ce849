import argparse
import csv
import os
import time
import warnings

import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import Callback, EarlyStopping, LearningRateMonitor, ModelCheckpoint
from pytorch_lightning.loggers import CSVLogger

from src.datamodule import SEDDataModule
from src.model import SEDTask

warnings.filterwarnings("ignore", ".*does not have many workers.*")


class EpochSummary(Callback):
    def on_train_epoch_start(self, trainer, pl_module):
        self.t0 = time.perf_counter()
        self.losses = []

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.losses.append(outputs["loss"].item())

    def on_train_epoch_end(self, trainer, pl_module):
        m = trainer.callback_metrics
        print(f"epoch {trainer.current_epoch}: train {sum(self.losses) / len(self.losses):.4f} "
              f"val {m['val/loss'].item():.4f} f1 {m['val/seg_f1'].item():.3f} "
              f"({time.perf_counter() - self.t0:.1f}s)")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--batch_size", type=int, default=16)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--log_dir", default="./out/sed")
    ap.add_argument("--fast_dev_run", action="store_true")
    args = ap.parse_args()

    pl.seed_everything(42, workers=True)
    dm = SEDDataModule(batch_size=args.batch_size)
    task = SEDTask(n_mels=dm.hparams.n_mels, n_events=dm.hparams.n_events, lr=args.lr)
    ckpt_cb = ModelCheckpoint(os.path.join(args.log_dir, "ckpt"), monitor="val/seg_f1", mode="max", save_last=True,
                              filename="{epoch}-{step}", auto_insert_metric_name=False)
    logger = CSVLogger(args.log_dir, name="", version="")
    trainer = pl.Trainer(
        max_epochs=args.epochs,
        accelerator="gpu" if torch.cuda.is_available() else "cpu",
        devices=1,
        logger=logger,
        gradient_clip_val=5.0,
        log_every_n_steps=5,
        callbacks=[ckpt_cb, EarlyStopping("val/loss", patience=10), LearningRateMonitor("step"), EpochSummary()],
        enable_progress_bar=False,
        fast_dev_run=args.fast_dev_run,
    )
    trainer.fit(task, datamodule=dm)
    trainer.test(task, datamodule=dm, ckpt_path=None if args.fast_dev_run else "best", weights_only=False)
    with open(os.path.join(args.log_dir, "predictions.tsv"), "w", newline="") as f:
        w = csv.writer(f, delimiter="\t")
        w.writerow(["filename", "onset", "offset", "event"])
        w.writerows(task.test_events)
    print(f"{len(task.test_events)} events; best {ckpt_cb.best_model_path} {ckpt_cb.best_model_score:.3f}")


if __name__ == "__main__":
    main()
