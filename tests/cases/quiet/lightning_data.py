"""A LightningDataModule with host statistics, and logging left to the framework."""
import numpy as np
import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, Dataset, Subset, random_split


class Windows(Dataset):
    def __init__(self, series, size, horizon):
        self.series = torch.as_tensor(series, dtype=torch.float32)
        self.size, self.horizon = size, horizon
        valid = ~torch.isnan(self.series).any(-1)
        starts = torch.arange(len(self.series) - size - horizon)
        self.starts = [int(s) for s in starts if valid[s : s + size + horizon].all()]

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        start = self.starts[i]
        window = self.series[start : start + self.size]
        scale = window.abs().mean().clamp(min=1e-3)
        if scale.item() > 1e3:
            window = window / 10
        target = self.series[start + self.size : start + self.size + self.horizon]
        return {"x": window / scale, "y": target / scale, "scale": scale}


class Series(pl.LightningDataModule):
    def __init__(self, path, size=96, horizon=24, batch_size=64):
        super().__init__()
        self.save_hyperparameters()

    def prepare_data(self):
        array = np.load(self.hparams.path)
        if np.isnan(array).mean().item() > 0.5:
            raise ValueError("mostly missing")

    def setup(self, stage=None):
        array = np.load(self.hparams.path)
        mean, std = np.nanmean(array, 0), np.nanstd(array, 0)
        print("mean", mean.tolist()[:3], "std", std.max().item())
        data = Windows((array - mean) / std, self.hparams.size, self.hparams.horizon)
        n = int(len(data) * 0.8)
        self.train, self.valid = random_split(data, [n, len(data) - n])
        self.test = Subset(data, range(0, len(data), 10))
        lengths = torch.tensor([len(self.train), len(self.valid)])
        if (lengths == 0).any():
            raise ValueError(lengths.tolist())

    def train_dataloader(self):
        return DataLoader(self.train, self.hparams.batch_size, shuffle=True, collate_fn=self.collate)

    def val_dataloader(self):
        return DataLoader(self.valid, self.hparams.batch_size)

    @staticmethod
    def collate(rows):
        keep = [row for row in rows if row["scale"] > 1e-2]
        batch = {key: torch.stack([row[key] for row in keep or rows]) for key in rows[0]}
        if batch["x"].isnan().any() or batch["y"].abs().max().item() > 1e4:
            batch["x"] = torch.nan_to_num(batch["x"])
        return batch


class Forecaster(pl.LightningModule):
    def __init__(self, size, horizon, width=128):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(size, width), torch.nn.ReLU(), torch.nn.Linear(width, horizon))

    def training_step(self, batch, batch_idx):
        loss = torch.nn.functional.l1_loss(self.net(batch["x"].squeeze(-1)), batch["y"].squeeze(-1))
        self.log("train_loss", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, batch_idx):
        error = (self.net(batch["x"].squeeze(-1)) - batch["y"].squeeze(-1)).abs() * batch["scale"][:, None]
        self.log("val_mae", error.mean())

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)
