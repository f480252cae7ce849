import argparse
import time

import lightning as L
import torch
from lightning.pytorch.callbacks import Callback, ModelCheckpoint
from torch.utils.data import DataLoader

from module import TaggerCTC
from synth import ClipDataset, pad_collate


class EpochReport(Callback):
    def on_train_epoch_start(self, trainer, pl_module):
        self.t0 = time.time()

    def on_train_epoch_end(self, trainer, pl_module):
        m = {k: float(v) for k, v in trainer.callback_metrics.items()}
        w = (-pl_module.log_var.detach()).exp().tolist()
        print(
            f"epoch {trainer.current_epoch}: "
            + " ".join(f"{k} {v:.3f}" for k, v in sorted(m.items()))
            + f" | task weights {w[0]:.2f} {w[1]:.2f} ({time.time() - self.t0:.1f}s)"
        )


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--n-train", type=int, default=512)
    p.add_argument("--n-val", type=int, default=96)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--precision", default="32-true")
    args = p.parse_args()

    L.seed_everything(7)
    torch.set_float32_matmul_precision("high")
    kw = dict(batch_size=args.batch_size, collate_fn=pad_collate, num_workers=0)
    train_dl = DataLoader(ClipDataset(args.n_train, seed=0), shuffle=True, drop_last=True, **kw)
    val_dl = DataLoader(ClipDataset(args.n_val, seed=1), **kw)

    model = TaggerCTC(lr=args.lr, total_steps=args.epochs * len(train_dl))
    ckpt = ModelCheckpoint("checkpoints", monitor="val_uer", mode="min", filename="{epoch}-{val_uer:.3f}")
    trainer = L.Trainer(
        max_epochs=args.epochs, accelerator="auto", devices=1, precision=args.precision, gradient_clip_val=1.0,
        callbacks=[ckpt, EpochReport()], logger=False, enable_progress_bar=False, enable_model_summary=False,
        num_sanity_val_steps=0,
    )
    trainer.fit(model, train_dl, val_dl)
    print("best", ckpt.best_model_path, float(ckpt.best_model_score))


if __name__ == "__main__":
    main()
