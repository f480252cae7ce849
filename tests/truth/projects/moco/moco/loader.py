import random

import torch
from torch.utils.data import Dataset
from torchvision import transforms


class TwoCropsTransform:
    """Take two random crops of one image as the query and key."""

    def __init__(self, base_transform):
        self.base_transform = base_transform

    def __call__(self, x):
        return [self.base_transform(x), self.base_transform(x)]


class PairedImages(Dataset):
    def __init__(self, n, size=32, classes=5, transform=None, seed=0):
        g = torch.Generator().manual_seed(123)
        protos = torch.rand(classes, 3, size, size, generator=g)
        g.manual_seed(seed)
        self.targets = torch.randint(0, classes, (n,), generator=g)
        self.data = (protos[self.targets] * 0.7 + torch.rand(n, 3, size, size, generator=g) * 0.3)
        self.transform = transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        x = self.data[i]
        return (self.transform(x) if self.transform else x), int(self.targets[i])


train_transform = transforms.Compose([
    transforms.RandomResizedCrop(32, scale=(0.4, 1.), antialias=True),
    transforms.RandomHorizontalFlip(p=0.5),
    transforms.RandomApply([transforms.ColorJitter(0.4, 0.4, 0.4, 0.1)], p=0.8),
    transforms.RandomGrayscale(p=0.2),
])
