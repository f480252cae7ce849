"""Shapes of NumPy's arrays, and of batches that come from what is made of a loader; a layer computes in its weights' type."""
import itertools

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Blobs(Dataset):
    def __init__(self, size):
        axis = np.linspace(-1, 1, size, dtype=np.float32)
        self.xx, self.yy = np.meshgrid(axis, axis)
        self.noise = np.random.default_rng(0).standard_normal((3, size, size), dtype=np.float32)

    def __len__(self):
        return 4096

    def __getitem__(self, i):
        picture = np.exp(-(self.xx ** 2 + self.yy ** 2) / 0.1)
        return torch.from_numpy(np.stack([picture, picture, picture]) + self.noise), torch.tensor(np.array([1.0, 2.0]))


loader = DataLoader(Blobs(16), batch_size=128, pin_memory=True)
model = nn.Conv2d(3, 8, 3).cuda()
head = nn.Linear(2, 4).cuda()
for pictures, numbers in itertools.islice(itertools.cycle(loader), 100):
    pictures = pictures.cuda(non_blocking=True)  # is: cuda (128, 3, 16, 16)
    out = model(pictures)  # is: cuda float (128, 8, 14, 14)
    numbers = numbers.cuda(non_blocking=True)
    out = head(numbers)  # is: cuda float (128, 4)
for pictures, _ in itertools.chain(loader, loader):
    pass
for one in itertools.islice([torch.zeros(2, 3), torch.zeros(4, 3)], 2):
    y = one.cuda()  # sync: copy-to-device
