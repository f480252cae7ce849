from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import EarlyStopping, LearningRateMonitor, ModelCheckpoint
from pytorch_lightning.loggers import CSVLogger

from src.callbacks import EMACallback, SampleGridCallback, ThroughputCallback
from src.data import SunsetDataModule
from src.models.colorgan import ColorGAN


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--max-epochs", type=int, default=3)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--precision", default="bf16-mixed")
    p.add_argument("--out", type=Path, default=None)
    p.add_argument("--seed", type=int, default=42)
    return p.parse_args()


def main():
    args = parse()
    out = args.out or Path(tempfile.mkdtemp(prefix="colorgan_"))
    pl.seed_everything(args.seed, workers=True)
    torch.set_float32_matmul_precision("high")

    dm = SunsetDataModule(batch_size=args.batch_size)
    model = ColorGAN()
    callbacks = [
        EMACallback(decay=0.98),
        SampleGridCallback(out / "samples"),
        ThroughputCallback(),
        LearningRateMonitor(logging_interval="epoch"),
        ModelCheckpoint(dirpath=out / "ckpt", filename="best", monitor="val/psnr", mode="max", save_last=True),
        EarlyStopping(monitor="val/l1", patience=5, mode="min"),
    ]
    trainer = pl.Trainer(
        accelerator="auto",
        devices=1,
        max_epochs=args.max_epochs,
        precision=args.precision,
        callbacks=callbacks,
        logger=CSVLogger(out, name="logs"),
        log_every_n_steps=10,
        num_sanity_val_steps=1,
        enable_model_summary=True,
    )
    trainer.fit(model, datamodule=dm)
    result = trainer.test(model, datamodule=dm)
    print(result)
    print("best checkpoint:", trainer.checkpoint_callback.best_model_path)


if __name__ == "__main__":
    main()
