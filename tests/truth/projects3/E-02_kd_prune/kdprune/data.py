import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

CLASSES = ("disk", "ring", "square", "frame", "triangle", "cross", "hbars", "vbars", "checker", "blobs")
_G = np.stack(np.meshgrid(np.linspace(-1, 1, 32), np.linspace(-1, 1, 32), indexing="ij"))


def _mask(name, rng):
    th = rng.uniform(-0.4, 0.4)
    cy, cx = rng.uniform(-0.25, 0.25, 2)
    y0, x0 = _G[0] - cy, _G[1] - cx
    y = np.cos(th) * y0 - np.sin(th) * x0
    x = np.sin(th) * y0 + np.cos(th) * x0
    s = rng.uniform(0.45, 0.75)
    r = np.hypot(x, y)
    box = np.maximum(abs(x), abs(y))
    k = rng.uniform(7, 11)
    if name == "disk":
        return r < s
    if name == "ring":
        return (r < s) & (r > 0.6 * s)
    if name == "square":
        return box < 0.85 * s
    if name == "frame":
        return (box < 0.9 * s) & (box > 0.55 * s)
    if name == "triangle":
        return (y < 0.6 * s) & (y > 2 * abs(x) - s)
    if name == "cross":
        return (np.minimum(abs(x), abs(y)) < 0.25 * s) & (box < s)
    if name == "hbars":
        return np.sin(k * y) > 0.2
    if name == "vbars":
        return np.sin(k * x) > 0.2
    if name == "checker":
        return np.sin(k * x) * np.sin(k * y) > 0
    pts = rng.uniform(-0.8, 0.8, (6, 2))
    d = np.min([np.hypot(_G[0] - p[0], _G[1] - p[1]) for p in pts], axis=0)
    return d < 0.22


class ShapeTextures(Dataset):
    """32x32 RGB, coloured shape on a coloured noisy background."""

    def __init__(self, n, seed, train=True):
        rng = np.random.default_rng(seed)
        self.train = train
        self.targets = rng.integers(0, len(CLASSES), n)
        self.data = np.empty((n, 3, 32, 32), dtype=np.uint8)
        for i, t in enumerate(self.targets):
            m = _mask(CLASSES[t], rng)[None]
            fg, bg = rng.uniform(40, 255, (2, 3, 1, 1))
            img = np.where(m, fg, bg * 0.6) + rng.normal(0, 22, (3, 32, 32))
            self.data[i] = np.clip(img, 0, 255)

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, i):
        img = torch.from_numpy(self.data[i]).float().div_(127.5).sub_(1)
        if self.train:
            if torch.rand(()) < 0.5:
                img = img.flip(-1)
            dy, dx = torch.randint(-3, 4, (2,)).tolist()
            img = torch.roll(img, (dy, dx), dims=(1, 2))
        return img, int(self.targets[i])


def loaders(cfg):
    tr = ShapeTextures(cfg.n_train, cfg.seed)
    va = ShapeTextures(cfg.n_val, cfg.seed + 1, train=False)
    return (DataLoader(tr, cfg.batch_size, shuffle=True, drop_last=True, pin_memory=True),
            DataLoader(va, 256, pin_memory=True))
