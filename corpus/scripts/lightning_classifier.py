"""LightningModule with a hidden read in a metric helper, and a callback that times batches."""
import argparse
import time

import numpy as np
import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, random_split


class TwoMoons(Dataset):
    def __init__(self, n=4096, noise=0.1, seed=0):
        rng = np.random.default_rng(seed)
        t = rng.uniform(0, np.pi, n)
        side = rng.integers(0, 2, n)
        x = np.where(side == 0, np.cos(t), 1 - np.cos(t))
        y = np.where(side == 0, np.sin(t), 0.5 - np.sin(t))
        pts = np.stack([x, y], 1) + rng.normal(scale=noise, size=(n, 2))
        self.pts = torch.from_numpy(pts.astype(np.float32))
        self.side = torch.from_numpy(side.astype(np.int64))

    def __len__(self):
        return self.pts.shape[0]

    def __getitem__(self, idx):
        return self.pts[idx], self.side[idx]


class MoonsDataModule(pl.LightningDataModule):
    def __init__(self, n, batch_size):
        super().__init__()
        self.n, self.batch_size = n, batch_size

    def setup(self, stage=None):
        full = TwoMoons(self.n)
        n_val = int(0.2 * len(full))
        self.train_set, self.val_set = random_split(full, [len(full) - n_val, n_val])
        sample = torch.stack([full[i][0] for i in range(100)])
        self.mean, self.std = sample.mean(0).tolist(), sample.std(0).tolist()

    def collate(self, items):
        xs, ys = zip(*items)
        xs = (torch.stack(xs) - torch.tensor(self.mean)) / torch.tensor(self.std)
        return xs, torch.stack(ys)

    def train_dataloader(self):
        return DataLoader(self.train_set, self.batch_size, shuffle=True, collate_fn=self.collate, pin_memory=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, self.batch_size, collate_fn=self.collate)


class ExpectedCalibrationError:
    def __init__(self, bins=10):
        self.edges = np.linspace(0, 1, bins + 1)
        self.reset()

    def reset(self):
        self.conf, self.hit = [], []

    def update(self, probs, target):
        conf, pred = probs.max(dim=-1)
        self.conf.append(conf.detach().cpu().numpy())  # sync: copy-to-host
        self.hit.append((pred == target).cpu().numpy())  # sync: copy-to-host

    def compute(self):
        conf, hit = np.concatenate(self.conf), np.concatenate(self.hit)
        idx = np.clip(np.digitize(conf, self.edges) - 1, 0, len(self.edges) - 2)
        ece = 0.0
        for b in range(len(self.edges) - 1):
            m = idx == b
            if m.any():
                ece += m.mean() * abs(hit[m].mean() - conf[m].mean())
        return float(ece)


class MoonsClassifier(pl.LightningModule):
    def __init__(self, hidden=64, lr=1e-3, weight_pos=1.5):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        self.val_outputs = []
        self.ece = ExpectedCalibrationError()
        self.train_history = []

    def forward(self, x):
        return self.net(x)

    def _shared_step(self, batch):
        x, y = batch
        logits = self(x)
        weight = torch.tensor([1.0, self.hparams.weight_pos], device=self.device)  # sync: tensor-from-host
        loss = F.cross_entropy(logits, y, weight=weight)
        return logits, loss

    def training_step(self, batch, batch_idx):
        logits, loss = self._shared_step(batch)
        acc = (logits.argmax(-1) == batch[1]).float().mean()
        self.log("train_loss", loss)
        self.log("train_acc", acc, on_step=False, on_epoch=True)
        self.train_history.append(loss.item())  # sync: host-read
        return loss

    def validation_step(self, batch, batch_idx):
        logits, loss = self._shared_step(batch)
        self.ece.update(logits.softmax(-1), batch[1])
        self.val_outputs.append(loss)
        self.log("val_loss", loss, prog_bar=True)

    def on_validation_epoch_end(self):
        mean = torch.stack(self.val_outputs).mean()
        ece = self.ece.compute()
        print(f"validation loss {mean.item():.4f} ece {ece:.4f}")  # sync: host-read note
        self.val_outputs.clear()
        self.ece.reset()

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        sched = torch.optim.lr_scheduler.StepLR(opt, step_size=5)
        return [opt], [sched]


class StepTimer(pl.Callback):
    """Median time per training batch, measured the honest way."""

    def __init__(self, warmup=2):
        self.warmup, self.times = warmup, []

    def on_train_batch_start(self, trainer, pl_module, batch, batch_idx):
        torch.cuda.synchronize()  # sync: explicit-sync
        self.t0 = time.perf_counter()

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        torch.cuda.synchronize()  # sync: explicit-sync
        self.times.append(time.perf_counter() - self.t0)
        if outputs["loss"] > 10:  # sync: tensor-truth
            print("loss is diverging at batch", batch_idx)

    def on_train_end(self, trainer, pl_module):
        torch.cuda.synchronize()
        print("median step time %.2f ms" % (1e3 * float(np.median(self.times[self.warmup:]))))


def cli_main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--max_epochs", type=int, default=10)
    parser.add_argument("--n", type=int, default=4096)
    parser.add_argument("--batch_size", type=int, default=128)
    parser.add_argument("--hidden", type=int, default=64)
    args = parser.parse_args()

    pl.seed_everything(42)
    dm = MoonsDataModule(args.n, args.batch_size)
    model = MoonsClassifier(hidden=args.hidden)
    trainer = pl.Trainer(
        max_epochs=args.max_epochs,
        accelerator="gpu",
        devices=1,
        gradient_clip_val=1.0,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        callbacks=[StepTimer()],
    )
    trainer.fit(model, datamodule=dm)
    print("last train loss", model.train_history[-1])


if __name__ == "__main__":
    cli_main()
