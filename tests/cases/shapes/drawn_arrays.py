"""Data sets that are drawn or computed by NumPy, as those are that a script makes for itself."""
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Scenes(Dataset):
    def __init__(self, count=512, size=48, seed=0):
        self.count, self.size, self.seed = count, size, seed

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        rng = np.random.RandomState(self.seed * 7919 + i)
        s = self.size
        image = rng.randn(s, s, 3).astype(np.float32) * 0.3
        target = np.zeros((s, s), dtype=np.int64)
        for _ in range(rng.randint(1, 4)):
            y, x = rng.randint(0, s - 20, size=2)
            target[y:y + 10, x:x + 10] = 1
        if rng.rand() < 0.5:
            image, target = image[:, ::-1], target[:, ::-1].copy()
        image = (image - image.mean(axis=(0, 1))) / image.std()
        return torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1))), torch.from_numpy(target)


class Series(Dataset):
    def __init__(self, steps=96):
        rng = np.random.default_rng(1)
        self.data = np.cumsum(rng.standard_normal((4096, 7)), axis=0).astype("float32")
        self.means = self.data.mean(0, keepdims=True)
        self.weights = np.full((7,), 1 / 7, np.float32)
        self.steps = steps

    def __len__(self):
        return len(self.data) - self.steps

    def __getitem__(self, at):
        window = self.data[at:at + self.steps] - self.means
        onehot = np.eye(10, dtype=np.float32)[3]
        pair = np.concatenate([window[:, :3], np.repeat(window[:, 3:4], 2, axis=1)], axis=1)
        return {"x": window, "pair": np.pad(pair, ((0, 4), (0, 0))), "class": onehot, "y": window.reshape(-1)[::2], "w": self.weights,
                "most": np.argmax(window, axis=1), "tiled": np.tile(onehot, (2, 1)), "at": np.where(window > 0, window, 0.0)}


device = torch.device("cuda")
conv = torch.nn.Conv2d(3, 8, 3, padding=1).to(device)
for images, targets in DataLoader(Scenes(), batch_size=16, pin_memory=True):
    conv(images.to(device, non_blocking=True))  # is: cuda float (16, 8, 48, 48)
    targets.to(device, non_blocking=True) + 1  # is: cuda (16, 48, 48)
for batch in DataLoader(Series(), 32, pin_memory=True):
    batch["x"].to(device, non_blocking=True) + 1  # is: cuda (32, 96, 7)
    batch["pair"].to(device, non_blocking=True) + 1  # is: cuda (32, 100, 5)
    batch["class"].to(device, non_blocking=True) + 1  # is: cuda (32, 10)
    batch["y"].to(device, non_blocking=True) + 1  # is: cuda (32, 336)
    batch["w"].to(device, non_blocking=True) + 1  # is: cuda (32, 7)
    batch["most"].to(device, non_blocking=True) + 1  # is: cuda (32, 96)
    batch["tiled"].to(device, non_blocking=True) + 1  # is: cuda (32, 2, 10)
    batch["at"].to(device, non_blocking=True) + 1  # is: cuda (32, 96, 7)
rng = np.random.RandomState(0)
for step in range(100):
    rows = torch.as_tensor(rng.uniform(-1, 1, size=(64, 3)), dtype=torch.float32)
    picked = torch.from_numpy(rng.choice(1000, 64, replace=False))
    rows, picked = rows.to(device), picked.to(device)  # sync: copy-to-device x2
    rows + 1  # is: cuda float (64, 3)
    picked + 1  # is: cuda (64,)
    backwards = torch.from_numpy(np.ones((7, 9))[::-1, ::-2].copy()).pin_memory()  # sync: pin-per-step note
    backwards.cuda(non_blocking=True) + 1  # is: cuda (7, 5)
