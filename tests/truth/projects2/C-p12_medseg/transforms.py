import numpy as np


class Compose:
    def __init__(self, ts):
        self.ts = ts

    def __call__(self, d):
        for t in self.ts:
            d = t(d)
        return d


class NormalizeIntensity:
    """z-score inside the foreground (air is below -500)"""

    def __call__(self, d):
        img = d["image"]
        m = img > -500
        d["image"] = ((img - img[m].mean()) / (img[m].std() + 1e-6)).clip(-5, 5)
        return d


class RandCropPosNeg:
    def __init__(self, size, pos=0.7):
        self.size, self.pos = size, pos

    def __call__(self, d):
        shape = d["label"].shape
        if np.random.rand() < self.pos and d["label"].any():
            fg = np.argwhere(d["label"] > 0)
            c = fg[np.random.randint(len(fg))]
        else:
            c = [np.random.randint(0, s) for s in shape]
        sl = []
        for ci, s, p in zip(c, shape, self.size):
            start = int(np.clip(ci - p // 2, 0, s - p))
            sl.append(slice(start, start + p))
        d["image"], d["label"] = d["image"][tuple(sl)], d["label"][tuple(sl)]
        return d


class RandFlip:
    def __call__(self, d):
        for ax in range(3):
            if np.random.rand() < 0.5:
                d["image"], d["label"] = np.flip(d["image"], ax), np.flip(d["label"], ax)
        return d


class RandGamma:
    def __call__(self, d):
        if np.random.rand() < 0.3:
            img = d["image"]
            lo, hi = img.min(), img.max()
            g = np.random.uniform(0.7, 1.5)
            d["image"] = ((img - lo) / (hi - lo + 1e-6)) ** g * (hi - lo) + lo
        return d
