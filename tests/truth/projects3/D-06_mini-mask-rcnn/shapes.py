# Random shapes dataset (like the one in the matterport tutorial)
import numpy as np
import torch
from torch.utils.data import Dataset

CLASSES = ['bg', 'circle', 'box', 'triangle']


class ShapesDataset(Dataset):
    def __init__(self, n, size=96, max_objects=4, seed=0):
        self.size = size
        rng = np.random.default_rng(seed)
        self.items = [self.make(rng, max_objects) for _ in range(n)]

    def draw(self, rng, yy, xx):
        s = self.size
        kind = int(rng.integers(1, 4))
        r = rng.uniform(8, 18)
        cx, cy = rng.uniform(r, s - r, 2)
        if kind == 1:
            m = (xx - cx) ** 2 + (yy - cy) ** 2 <= r ** 2
        elif kind == 2:
            ar = rng.uniform(0.6, 1.0)
            m = (np.abs(xx - cx) <= r) & (np.abs(yy - cy) <= r * ar)
        else:
            h = (yy - (cy - r)) / (2 * r)
            m = (h >= 0) & (h <= 1) & (np.abs(xx - cx) <= r * h)
        return kind, m

    def make(self, rng, max_objects):
        s = self.size
        yy, xx = np.mgrid[0:s, 0:s]
        img = np.ones((s, s, 3)) * rng.uniform(0, 1, 3)
        img += 0.2 * np.sin(xx / rng.uniform(3, 9))[..., None]
        labels, masks = [], []
        for _ in range(int(rng.integers(1, max_objects + 1))):
            kind, m = self.draw(rng, yy, xx)
            color = rng.uniform(0, 1, 3)
            masks = [old & ~m for old in masks]       # occlusion
            masks.append(m)
            labels.append(kind)
            img[m] = color
        keep = [i for i, m in enumerate(masks) if m.sum() >= 40]
        img = img + rng.normal(0, 0.06, img.shape)
        boxes = []
        for i in keep:
            ys, xs = np.where(masks[i])
            boxes.append([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1])
        target = {
            'boxes': torch.tensor(np.array(boxes), dtype=torch.float32).reshape(-1, 4),
            'labels': torch.tensor([labels[i] for i in keep], dtype=torch.long),
            'masks': torch.tensor(np.stack([masks[i] for i in keep])).float(),
        }
        img = torch.from_numpy(img.transpose(2, 0, 1)).float()
        return (img - 0.5) / 0.25, target

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        img, t = self.items[i]
        return img, t


def hflip(imgs, targets):
    w = imgs.shape[-1]
    out = []
    for t in targets:
        b = t['boxes'].clone()
        b[:, [0, 2]] = w - b[:, [2, 0]]
        out.append({'boxes': b, 'labels': t['labels'], 'masks': t['masks'].flip(-1)})
    return imgs.flip(-1), out


def collate(batch):
    return torch.stack([b[0] for b in batch]), [b[1] for b in batch]
