import numpy as np
import torch
from torch.utils.data import Dataset


class BoxesDataset(Dataset):
    """filled rectangles / ellipses / frames on noise"""

    def __init__(self, n, size, seed):
        self.n, self.size, self.seed = n, size, seed

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        rng = np.random.RandomState(self.seed + idx)
        s = self.size
        img = rng.normal(0.2, 0.08, (3, s, s)).astype(np.float32)
        yy, xx = np.mgrid[:s, :s]
        boxes, classes = [], []
        for _ in range(rng.randint(0, 6)):
            w, h = rng.randint(12, 70, size=2)
            x0, y0 = rng.randint(0, s - w), rng.randint(0, s - h)
            c = rng.randint(0, 3)
            inside = (xx >= x0) & (xx < x0 + w) & (yy >= y0) & (yy < y0 + h)
            if c == 1:
                inside = ((xx - x0 - w / 2) / (w / 2)) ** 2 + ((yy - y0 - h / 2) / (h / 2)) ** 2 <= 1
            elif c == 2:
                inner = (xx >= x0 + 4) & (xx < x0 + w - 4) & (yy >= y0 + 4) & (yy < y0 + h - 4)
                inside = inside & ~inner
            img[:, inside] = rng.uniform(0.4, 1.0, size=(3, 1)).astype(np.float32)
            boxes.append([x0, y0, x0 + w, y0 + h])
            classes.append(c)
        return {
            "image": torch.from_numpy(img),
            "gt_boxes": torch.tensor(boxes, dtype=torch.float32).reshape(-1, 4),
            "gt_classes": torch.tensor(classes, dtype=torch.int64),
            "image_id": idx,
        }


def trivial_batch_collator(batch):
    return batch
