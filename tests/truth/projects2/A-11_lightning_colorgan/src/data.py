from __future__ import annotations

import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, Dataset


class Sunsets(Dataset):
    """Procedural landscapes: gradient sky, sun and ground. Returns (gray, rgb, time-of-day class)."""

    PALETTES = torch.tensor([
        [[0.2, 0.4, 0.9], [0.7, 0.9, 1.0], [0.2, 0.6, 0.2]],
        [[0.3, 0.1, 0.4], [1.0, 0.5, 0.2], [0.2, 0.15, 0.1]],
        [[0.02, 0.02, 0.1], [0.1, 0.1, 0.3], [0.05, 0.1, 0.05]],
    ])

    def __init__(self, n: int, size: int = 48, seed: int = 0):
        self.n, self.size, self.seed = n, size, seed

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i: int):
        g = torch.Generator().manual_seed(self.seed * 100_003 + i)
        label = int(torch.randint(0, 3, (1,), generator=g))
        top, bottom, ground = self.PALETTES[label]
        s = self.size
        y = torch.linspace(0, 1, s).view(s, 1, 1)
        img = (top * (1 - y) + bottom * y).expand(s, s, 3).clone()
        u = torch.rand(4, generator=g)
        yy, xx = torch.meshgrid(torch.linspace(0, 1, s), torch.linspace(0, 1, s), indexing="ij")
        sun = (yy - 0.2 - 0.4 * u[0]) ** 2 + (xx - u[1]) ** 2 < (0.06 + 0.08 * u[2]) ** 2
        img[sun] = torch.tensor([1.0, 0.95, 0.6])
        hills = yy > 0.7 + 0.1 * torch.sin(xx * 6 + 6 * u[3])
        img[hills] = ground
        img = (img + 0.03 * torch.randn(s, s, 3, generator=g)).clamp(0, 1).permute(2, 0, 1)
        gray = (img * torch.tensor([0.299, 0.587, 0.114]).view(3, 1, 1)).sum(0, keepdim=True)
        return {"gray": gray, "rgb": img, "label": label}


class SunsetDataModule(pl.LightningDataModule):
    def __init__(self, batch_size: int = 32, num_workers: int = 2, n_train: int = 1280, n_val: int = 256):
        super().__init__()
        self.save_hyperparameters()

    def setup(self, stage: str | None = None):
        hp = self.hparams
        if stage in (None, "fit"):
            self.train_set = Sunsets(hp.n_train, seed=0)
            self.val_set = Sunsets(hp.n_val, seed=1)
        if stage in (None, "test"):
            self.test_set = Sunsets(hp.n_val, seed=2)

    def _loader(self, ds, shuffle=False):
        return DataLoader(ds, batch_size=self.hparams.batch_size, shuffle=shuffle, drop_last=shuffle,
                          num_workers=self.hparams.num_workers, pin_memory=True,
                          persistent_workers=self.hparams.num_workers > 0)

    def train_dataloader(self):
        return self._loader(self.train_set, shuffle=True)

    def val_dataloader(self):
        return self._loader(self.val_set)

    def test_dataloader(self):
        return self._loader(self.test_set)
