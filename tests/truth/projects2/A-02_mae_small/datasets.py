import math

import torch
from torch.utils.data import Dataset
from torchvision.transforms import v2 as T


class Gratings(Dataset):
    """CIFAR-sized sinusoid gratings; class = orientation"""

    def __init__(self, n, num_classes=10, size=32, train=True, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.targets = torch.randint(0, num_classes, (n,), generator=g)
        freq = torch.rand(n, generator=g) * 0.6 + 0.4
        phase = torch.rand(n, generator=g) * 2 * math.pi
        color = torch.rand(n, 3, 1, 1, generator=g)
        yy, xx = torch.meshgrid(torch.arange(size).float(), torch.arange(size).float(), indexing='ij')
        theta = self.targets.float() * math.pi / num_classes
        proj = xx[None] * torch.cos(theta)[:, None, None] + yy[None] * torch.sin(theta)[:, None, None]
        wave = 0.5 + 0.5 * torch.sin(proj * freq[:, None, None] + phase[:, None, None])
        self.data = (wave[:, None] * color + 0.08 * torch.randn(n, 3, size, size, generator=g)).clamp(0, 1)
        tf = [T.RandomResizedCrop(size, scale=(0.5, 1.0), antialias=True)] if train else []
        tf += [T.Normalize([0.3, 0.3, 0.3], [0.25, 0.25, 0.25])]
        self.transform = T.Compose(tf)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.transform(self.data[i]), int(self.targets[i])
