import numpy as np
import torch
from scipy import ndimage
from torch.utils.data import Dataset


def synth_case(shape, rng):
    """ellipsoid organ with one or two lesions inside, CT-like intensities"""
    zz, yy, xx = np.meshgrid(*[np.arange(s) for s in shape], indexing="ij")
    c = [s / 2 + rng.uniform(-4, 4) for s in shape]
    r = [s * rng.uniform(0.25, 0.35) for s in shape]
    organ = ((zz - c[0]) / r[0]) ** 2 + ((yy - c[1]) / r[1]) ** 2 + ((xx - c[2]) / r[2]) ** 2 < 1
    seg = organ.astype(np.uint8)
    for _ in range(rng.integers(1, 3)):
        lc = [ci + rng.uniform(-0.4, 0.4) * ri for ci, ri in zip(c, r)]
        lesion = (zz - lc[0]) ** 2 + (yy - lc[1]) ** 2 + (xx - lc[2]) ** 2 < rng.uniform(4, 6) ** 2
        seg[lesion & organ] = 2
    img = -80 + 160 * (seg == 1) + 60 * (seg == 2) + rng.normal(0, 30, shape)
    img = ndimage.gaussian_filter(img, 0.7)
    return img.astype(np.float32), seg


class VolumeStore:
    def __init__(self, n, shape, seed, clip=(-160, 240)):
        rng = np.random.default_rng(seed)
        self.cases = []
        for i in range(n):
            img, seg = synth_case(shape, rng)
            img = np.clip(img, *clip)
            img = (img - img.mean()) / (img.std() + 1e-8)
            fg = {c: np.argwhere(seg == c) for c in np.unique(seg) if c > 0}
            self.cases.append({"id": f"case_{i:03d}", "img": img, "seg": seg, "fg": fg})


class PatchDataset(Dataset):
    def __init__(self, store, patch_size, samples_per_volume, fg_ratio=0.5, augment=True):
        self.store, self.ps, self.spv, self.fg_ratio, self.augment = store, patch_size, samples_per_volume, fg_ratio, augment

    def __len__(self):
        return len(self.store.cases) * self.spv

    def _corner(self, case):
        shape = case["seg"].shape
        if np.random.rand() < self.fg_ratio and case["fg"]:
            cls = np.random.choice(list(case["fg"]))
            center = case["fg"][cls][np.random.randint(len(case["fg"][cls]))]
        else:
            center = [np.random.randint(s) for s in shape]
        return [int(np.clip(c - p // 2, 0, s - p)) for c, p, s in zip(center, self.ps, shape)]

    def __getitem__(self, idx):
        case = self.store.cases[idx // self.spv]
        sl = tuple(slice(c, c + p) for c, p in zip(self._corner(case), self.ps))
        img, seg = case["img"][sl].copy(), case["seg"][sl].copy()
        if self.augment:
            for ax in range(3):
                if np.random.rand() < 0.5:
                    img, seg = np.flip(img, ax), np.flip(seg, ax)
            img = img * np.random.uniform(0.9, 1.1) + np.random.uniform(-0.1, 0.1)
        return {"image": torch.from_numpy(np.ascontiguousarray(img))[None].float(),
                "label": torch.from_numpy(np.ascontiguousarray(seg)).long()}
