"""Fake application data which has the same kind of columns as the competition
(the real csv cannot be shared)."""
import numpy as np
import torch
from torch.utils.data import Dataset

CAT_COLS = {
    # name: cardinality
    "occupation": 14,
    "education": 5,
    "region": 32,
    "channel": 6,
    "device_model": 60,
    "month": 12,
}
NUM_COLS = ["age", "income", "balance", "n_prev_loans", "days_since_last", "utilisation"]


def make_frame(n, seed=0):
    rng = np.random.default_rng(seed)
    df = {}
    for name, card in CAT_COLS.items():
        p = 1.0 / np.arange(1, card + 1) ** (1.1 if card > 10 else 0.4)
        df[name] = rng.choice(card, size=n, p=p / p.sum())

    df["age"] = np.clip(rng.normal(41, 12, n), 18, 85)
    df["income"] = np.exp(rng.normal(10.2, 0.6, n) + 0.12 * df["education"])
    df["balance"] = rng.normal(0, 1, n) * 2000 + 0.08 * df["income"]
    df["n_prev_loans"] = rng.poisson(1.4, n).astype(float)
    df["days_since_last"] = rng.exponential(200, n)
    df["utilisation"] = rng.beta(2, 4, n)

    # customers without an earlier loan have no "days since"
    df["days_since_last"][df["n_prev_loans"] == 0] = np.nan
    df["income"][rng.random(n) < 0.07] = np.nan

    effects = {c: rng.normal(0, 0.5, k) for c, k in CAT_COLS.items()}
    cross = rng.normal(0, 0.8, (CAT_COLS["occupation"], CAT_COLS["channel"]))
    z = np.full(n, -3.9)
    for c in CAT_COLS:
        z += effects[c][df[c]]
    z += cross[df["occupation"], df["channel"]]
    z += 3.0 * (df["utilisation"] - 0.33)
    z -= 0.6 * (np.log(np.nan_to_num(df["income"], nan=20000.0)) - 10.4)
    z += 0.25 * df["n_prev_loans"] * (df["utilisation"] > 0.5)
    z += np.where(np.isnan(df["days_since_last"]), 0.0, -0.001 * np.nan_to_num(df["days_since_last"]))
    z += 0.5 * np.cos((df["age"] - 30) / 9.0)
    df["default"] = (rng.random(n) < 1 / (1 + np.exp(-z))).astype(np.float32)
    return df


class Preprocessor:
    """fit on the train part of a fold only!

    categories: seen values -> 1..K, everything rare / unseen -> 0
    numerics:   log for skewed ones, robust scaling, nan -> 0 + mask
    """

    log_cols = ("income", "days_since_last")

    def __init__(self, min_count=5):
        self.min_count = min_count
        self.maps = {}
        self.stats = {}

    def fit(self, df, idx):
        for c in CAT_COLS:
            vals, cnt = np.unique(df[c][idx], return_counts=True)
            keep = vals[cnt >= self.min_count]
            lut = np.zeros(CAT_COLS[c], dtype=np.int64)
            lut[keep] = np.arange(1, len(keep) + 1)
            self.maps[c] = lut
        for c in NUM_COLS:
            x = self._raw(df, c)[idx]
            q1, med, q3 = np.nanpercentile(x, [25, 50, 75])
            self.stats[c] = (med, max((q3 - q1) / 1.35, 1e-6))
        return self

    def _raw(self, df, c):
        x = df[c].astype(np.float64)
        return np.log1p(x) if c in self.log_cols else x

    @property
    def cardinalities(self):
        return [int(m.max()) + 1 for m in self.maps.values()]

    def transform(self, df, idx):
        cats = np.stack([self.maps[c][df[c][idx]] for c in CAT_COLS], axis=1)
        nums, miss = [], []
        for c in NUM_COLS:
            med, scale = self.stats[c]
            x = (self._raw(df, c)[idx] - med) / scale
            miss.append(np.isnan(x))
            nums.append(np.clip(np.nan_to_num(x), -5, 5))
        return cats, np.stack(nums, 1).astype(np.float32), np.stack(miss, 1)


class TabDataset(Dataset):
    def __init__(self, cats, nums, miss, y=None):
        self.cats = torch.from_numpy(cats).long()
        self.nums = torch.from_numpy(nums)
        self.miss = torch.from_numpy(miss)
        self.y = None if y is None else torch.from_numpy(y).float()

    def __len__(self):
        return len(self.cats)

    def __getitem__(self, i):
        item = {"cats": self.cats[i], "nums": self.nums[i], "miss": self.miss[i]}
        if self.y is not None:
            item["y"] = self.y[i]
        return item


def stratified_folds(y, n_folds, seed):
    rng = np.random.default_rng(seed)
    fold = np.zeros(len(y), dtype=np.int64)
    for cls in (0, 1):
        idx = np.where(y == cls)[0]
        rng.shuffle(idx)
        fold[idx] = np.arange(len(idx)) % n_folds
    return fold
