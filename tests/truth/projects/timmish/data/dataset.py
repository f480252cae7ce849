import numpy as np
from torch.utils.data import Dataset


class ImageArrayDataset(Dataset):
    def __init__(self, split, size, img_size=32, num_classes=10):
        rng = np.random.RandomState(0 if split == 'train' else 1)
        protos = np.random.RandomState(42).randint(0, 255, (num_classes, img_size, img_size, 3))
        self.targets = rng.randint(0, num_classes, size)
        noise = rng.randint(0, 255, (size, img_size, img_size, 3))
        self.images = ((protos[self.targets] + noise) // 2).astype(np.uint8)

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, index):
        img = self.images[index]
        return np.rollaxis(img, 2).copy(), int(self.targets[index])


def create_dataset(split, size):
    return ImageArrayDataset(split, size)
