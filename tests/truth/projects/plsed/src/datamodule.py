from typing import Optional

import numpy as np
import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, Dataset


class SoundEventDataset(Dataset):
    """10 s clips (here: 2 s) with frame-level event annotations.

    Clips are generated on the fly: each event class is a tone of its own
    frequency with a random onset and offset.
    """

    def __init__(self, n_clips: int, n_mels: int, n_frames: int, n_events: int, seed: int):
        self.n_clips, self.n_mels, self.n_frames, self.n_events = n_clips, n_mels, n_frames, n_events
        self.seed = seed

    def __len__(self):
        return self.n_clips

    def __getitem__(self, index):
        rng = np.random.default_rng(self.seed * 100003 + index)
        spec = rng.normal(0, 1, (1, self.n_mels, self.n_frames)).astype(np.float32)
        strong = np.zeros((self.n_events, self.n_frames), dtype=np.float32)
        for e in range(self.n_events):
            if rng.random() < 0.5:
                on = rng.integers(0, self.n_frames - 12)
                off = on + rng.integers(10, self.n_frames - on)
                band = slice(e * self.n_mels // self.n_events, (e + 1) * self.n_mels // self.n_events)
                spec[0, band, on:off] += 1.5
                strong[e, on:off] = 1
        weak = strong.max(1)
        return {"mel": torch.from_numpy(spec), "strong": torch.from_numpy(strong), "weak": torch.from_numpy(weak),
                "filename": f"clip_{index:05d}.wav"}


class SEDDataModule(pl.LightningDataModule):
    def __init__(self, batch_size: int = 16, num_workers: int = 0, n_train: int = 128, n_val: int = 48,
                 n_mels: int = 40, n_frames: int = 64, n_events: int = 5):
        super().__init__()
        self.save_hyperparameters()

    def prepare_data(self):
        pass  # download here

    def setup(self, stage: Optional[str] = None):
        hp = self.hparams
        args = (hp.n_mels, hp.n_frames, hp.n_events)
        if stage in (None, "fit"):
            self.train_set = SoundEventDataset(hp.n_train, *args, seed=1)
            self.val_set = SoundEventDataset(hp.n_val, *args, seed=2)
        if stage in (None, "test"):
            self.test_set = SoundEventDataset(hp.n_val, *args, seed=3)

    def _loader(self, ds, shuffle=False):
        return DataLoader(ds, batch_size=self.hparams.batch_size, shuffle=shuffle,
                          num_workers=self.hparams.num_workers, pin_memory=True, drop_last=shuffle)

    def train_dataloader(self):
        return self._loader(self.train_set, shuffle=True)

    def val_dataloader(self):
        return self._loader(self.val_set)

    def test_dataloader(self):
        return self._loader(self.test_set)
