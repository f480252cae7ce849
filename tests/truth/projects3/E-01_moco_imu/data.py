"""Synthetic wrist-worn IMU recordings (3-axis accelerometer + 3-axis gyro).

Mimics the layout of UCI-HAR / PAMAP2 windows: [6, T] float arrays at 50 Hz.
"""
import numpy as np
import torch
from torch.utils.data import Dataset

ACTIVITIES = ["walk", "run", "stairs", "sit", "stand", "cycle"]
FS = 50.0

# (base frequency [Hz], acc amplitude [g], gyro amplitude [rad/s], harmonic weights)
PROFILE = {
    "walk":   (1.8, 0.35, 1.2, (1.0, 0.50, 0.20)),
    "run":    (2.7, 1.10, 2.8, (1.0, 0.70, 0.35)),
    "stairs": (1.4, 0.45, 1.0, (1.0, 0.25, 0.45)),
    "sit":    (0.3, 0.02, 0.05, (1.0, 0.00, 0.00)),
    "stand":  (0.5, 0.04, 0.10, (1.0, 0.20, 0.00)),
    "cycle":  (1.2, 0.20, 0.3, (1.0, 0.10, 0.05)),
}


def _gravity(label, rng):
    # resting orientation of the wrist depends on what the person is doing
    base = {"sit": (0.2, 0.9, 0.4), "cycle": (0.8, 0.1, 0.5)}.get(label, (0.0, 0.2, 1.0))
    g = np.asarray(base) + 0.15 * rng.standard_normal(3)
    return g / np.linalg.norm(g)


def synth_window(label, subject, length, rng):
    f0, a_acc, a_gyr, harm = PROFILE[label]
    f = f0 * subject["tempo"] * (1.0 + 0.05 * rng.standard_normal())
    t = np.arange(length) / FS
    drift = np.cumsum(0.02 * rng.standard_normal(length))
    phase = 2 * np.pi * f * t + drift + rng.uniform(0, 2 * np.pi)
    x = np.zeros((6, length))
    for c in range(6):
        amp = a_acc if c < 3 else a_gyr
        amp = amp * subject["gain"][c]
        for h, w in enumerate(harm, start=1):
            x[c] += amp * w * np.sin(h * phase + subject["lag"][c] * h)
    x[:3] += _gravity(label, rng)[:, None]
    x[:3] += 0.03 * rng.standard_normal((3, length))
    x[3:] += 0.08 * rng.standard_normal((3, length))
    return x


class IMUWindows(Dataset):
    def __init__(self, n_subjects=8, windows_per_class=40, length=128, seed=0, stats=None):
        rng = np.random.default_rng(seed)
        xs, ys, subs = [], [], []
        for s in range(n_subjects):
            subject = dict(
                tempo=rng.normal(1.0, 0.08),
                gain=rng.uniform(0.7, 1.3, size=6),
                lag=rng.uniform(-0.6, 0.6, size=6) + np.array([0, 1.2, 0.4, 0.8, 2.0, 1.5]),
            )
            for y, name in enumerate(ACTIVITIES):
                for _ in range(windows_per_class):
                    xs.append(synth_window(name, subject, length, rng))
                    ys.append(y)
                    subs.append(s)
        x = np.stack(xs).astype(np.float32)
        if stats is None:
            stats = (x.mean((0, 2), keepdims=True), x.std((0, 2), keepdims=True) + 1e-6)
        self.stats = stats
        self.x = torch.from_numpy((x - stats[0]) / stats[1])
        self.y = torch.tensor(ys, dtype=torch.long)
        self.subject = torch.tensor(subs, dtype=torch.long)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
