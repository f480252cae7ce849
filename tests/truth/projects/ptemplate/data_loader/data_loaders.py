import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.sampler import SubsetRandomSampler


class ECGDataset(Dataset):
    """Single lead ECG-like traces, five rhythm classes, 256 samples each"""

    def __init__(self, n=480, length=256, n_classes=5, seed=0):
        rng = np.random.RandomState(seed)
        t = np.arange(length) / length
        self.y = rng.randint(0, n_classes, n)
        self.x = np.zeros((n, 1, length), dtype=np.float32)
        for i, c in enumerate(self.y):
            f = 3 + 2 * c + rng.rand()
            self.x[i, 0] = np.sin(2 * np.pi * f * t + rng.rand() * 6) ** 9 + 0.3 * rng.randn(length)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


class ECGDataLoader(DataLoader):
    def __init__(self, batch_size, shuffle=True, validation_split=0.0, num_workers=0, n_samples=480):
        self.dataset_ = ECGDataset(n_samples)
        idx = np.arange(n_samples)
        np.random.seed(0)
        np.random.shuffle(idx)
        n_val = int(n_samples * validation_split)
        self.valid_sampler = SubsetRandomSampler(idx[:n_val])
        self.init_kwargs = dict(dataset=self.dataset_, batch_size=batch_size, num_workers=num_workers)
        super().__init__(sampler=SubsetRandomSampler(idx[n_val:]), **self.init_kwargs)

    def split_validation(self):
        return DataLoader(sampler=self.valid_sampler, **self.init_kwargs)
