import random
import numpy as np
import torch
from torch.utils.data import Dataset, DataLoader


class RandomHorizontalFlip(object):
    def __call__(self, sample):
        if random.random() < 0.5:
            sample = {'image': sample['image'][:, ::-1], 'label': sample['label'][:, ::-1]}
        return sample


class Normalize(object):
    def __init__(self, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)):
        self.mean = np.array(mean, dtype=np.float32)
        self.std = np.array(std, dtype=np.float32)

    def __call__(self, sample):
        img = np.array(sample['image']).astype(np.float32) / 255.0
        mask = np.array(sample['label']).astype(np.float32)
        return {'image': (img - self.mean) / self.std, 'label': mask}


class ToTensor(object):
    def __call__(self, sample):
        # numpy image: H x W x C ; torch image: C X H X W
        img = np.ascontiguousarray(sample['image'].transpose((2, 0, 1)))
        return {'image': torch.from_numpy(img).float(), 'label': torch.from_numpy(sample['label'].copy()).float()}


class Shapes(Dataset):
    NUM_CLASSES = 5

    def __init__(self, n, size=97, split='train'):
        self.n, self.size, self.split = n, size, split
        tf = [RandomHorizontalFlip()] if split == 'train' else []
        self.tf = tf + [Normalize(), ToTensor()]

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        rng = np.random.RandomState(index + (100000 if self.split == 'val' else 0))
        s = self.size
        img = rng.randint(0, 80, (s, s, 3)).astype(np.uint8)
        lab = np.zeros((s, s), dtype=np.uint8)
        yy, xx = np.mgrid[:s, :s]
        for _ in range(rng.randint(2, 6)):
            c = rng.randint(1, self.NUM_CLASSES)
            cy, cx, r = rng.randint(10, s - 10), rng.randint(10, s - 10), rng.randint(8, 24)
            if c % 2:
                m = (yy - cy) ** 2 + (xx - cx) ** 2 < r * r
                b = (yy - cy) ** 2 + (xx - cx) ** 2 < (r + 2) ** 2
            else:
                m = (abs(yy - cy) < r) & (abs(xx - cx) < r)
                b = (abs(yy - cy) < r + 2) & (abs(xx - cx) < r + 2)
            lab[b] = 255  # void border, like VOC
            lab[m] = c
            img[m] = np.array([60 * c % 255, 255 - 40 * c, 90 + 30 * c]) + rng.randint(-15, 15, 3)
        sample = {'image': img, 'label': lab}
        for t in self.tf:
            sample = t(sample)
        return sample


def make_data_loader(args, **kwargs):
    train_set, val_set = Shapes(320, args.base_size, 'train'), Shapes(64, args.base_size, 'val')
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True, drop_last=True, **kwargs)
    val_loader = DataLoader(val_set, batch_size=args.batch_size, shuffle=False, **kwargs)
    return train_loader, val_loader, None, Shapes.NUM_CLASSES
