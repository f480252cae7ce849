import os

import numpy as np
import torch
from torch.utils.data import Dataset


def make_case(path, rng, shape=(48, 56, 52)):
    """body ellipsoid, an organ (1) and some lesions (2) in it"""
    z, y, x = np.meshgrid(*[np.linspace(-1, 1, s) for s in shape], indexing="ij")
    img = np.full(shape, -1000.0)
    body = (x / .85) ** 2 + (y / .8) ** 2 + (z / .95) ** 2 < 1
    img[body] = 20
    c = rng.uniform(-.25, .25, 3)
    r = rng.uniform(.28, .42, 3)
    organ = ((x - c[0]) / r[0]) ** 2 + ((y - c[1]) / r[1]) ** 2 + ((z - c[2]) / r[2]) ** 2 < 1
    img[organ] = 110
    label = organ.astype(np.uint8)
    inside = np.argwhere(organ)
    for _ in range(rng.randint(0, 4)):
        p = inside[rng.randint(len(inside))]
        q = [2 * p[i] / (shape[i] - 1) - 1 for i in range(3)]
        les = ((x - q[2]) ** 2 + (y - q[1]) ** 2 + (z - q[0]) ** 2 < rng.uniform(.08, .15) ** 2) & organ
        img[les] = 60
        label[les] = 2
    img += rng.randn(*shape) * 20
    np.savez(path, image=img.astype(np.float32), label=label)


def prepare(root, n_train, n_val, seed=0):
    rng = np.random.RandomState(seed)
    out = {}
    for split, n in (("train", n_train), ("val", n_val)):
        out[split] = []
        for i in range(n):
            p = os.path.join(root, "%s_%03d.npz" % (split, i))
            make_case(p, rng)
            out[split].append(p)
    return out


class VolumeDataset(Dataset):
    def __init__(self, files, transform, cache=True, repeat=1):
        self.files, self.transform, self.repeat = files, transform, repeat
        self.cache = {} if cache else None

    def __len__(self):
        return len(self.files) * self.repeat

    def load(self, i):
        if self.cache is not None and i in self.cache:
            return self.cache[i]
        with np.load(self.files[i]) as f:
            d = {"image": f["image"], "label": f["label"]}
        if self.cache is not None:
            self.cache[i] = d
        return d

    def __getitem__(self, i):
        d = self.transform(dict(self.load(i % len(self.files))))
        return {"image": torch.from_numpy(np.ascontiguousarray(d["image"], dtype=np.float32))[None],
                "label": torch.from_numpy(np.ascontiguousarray(d["label"]).astype(np.int64))}
