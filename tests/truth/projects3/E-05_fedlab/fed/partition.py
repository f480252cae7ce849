"""Synthetic non-IID image data: Dirichlet label skew + a client specific "scanner" style."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import TensorDataset


@dataclass(frozen=True)
class Style:
    gain: float
    offset: float
    blur: int
    noise: float

    @staticmethod
    def sample(rng: np.random.Generator) -> "Style":
        return Style(rng.uniform(0.6, 1.5), rng.uniform(-0.4, 0.4), int(rng.integers(0, 3)), rng.uniform(0.1, 0.4))

    def apply(self, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        for _ in range(self.blur):
            x = (x + np.roll(x, 1, -1) + np.roll(x, -1, -1) + np.roll(x, 1, -2) + np.roll(x, -1, -2)) / 5
        return self.gain * x + self.offset + self.noise * rng.standard_normal(x.shape)


def make_prototypes(n_classes: int, per_class: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """Stroke like glyphs: a random walk drawn on a small canvas for each (class, variant)."""
    canon = np.zeros((n_classes, per_class, size, size))
    for c in range(n_classes):
        base = rng.standard_normal((14, 2)) * 1.6
        for v in range(per_class):
            path = np.cumsum(base + 0.35 * rng.standard_normal(base.shape), axis=0)
            path -= path.min(0)
            path = path / (path.max() + 1e-6) * (size - 5) + 2
            for a, b in zip(path[:-1], path[1:]):
                for t in np.linspace(0, 1, 12):
                    y, x = np.round(a * (1 - t) + b * t).astype(int)
                    canon[c, v, y, x] = 1.0
    return canon * 2 - 0.3


def render(protos: np.ndarray, labels: np.ndarray, style: Style, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    variant = rng.integers(0, protos.shape[1], len(labels))
    x = protos[labels, variant]
    shift = rng.integers(-2, 3, (len(labels), 2))
    x = np.stack([np.roll(im, tuple(s), (0, 1)) for im, s in zip(x, shift)])
    x = style.apply(x, rng)
    return torch.from_numpy(x[:, None]).float(), torch.from_numpy(labels).long()


@dataclass
class FederatedData:
    train: list[TensorDataset]
    local_test: list[TensorDataset]
    global_test: TensorDataset
    label_hist: np.ndarray


def build(n_clients: int, n_classes: int, alpha: float, samples: int, size: int = 20, seed: int = 0) -> FederatedData:
    rng = np.random.default_rng(seed)
    protos = make_prototypes(n_classes, 6, size, rng)
    props = rng.dirichlet(np.full(n_classes, alpha), n_clients)
    sizes = np.maximum(48, rng.lognormal(np.log(samples), 0.4, n_clients)).astype(int)
    train, local = [], []
    hist = np.zeros((n_clients, n_classes), dtype=int)
    for k in range(n_clients):
        style = Style.sample(rng)
        y = rng.choice(n_classes, sizes[k], p=props[k])
        hist[k] = np.bincount(y, minlength=n_classes)
        train.append(TensorDataset(*render(protos, y, style, rng)))
        local.append(TensorDataset(*render(protos, rng.choice(n_classes, 64, p=props[k]), style, rng)))
    yt = np.repeat(np.arange(n_classes), 60)
    parts = [render(protos, chunk, Style.sample(rng), rng) for chunk in np.array_split(rng.permutation(yt), 6)]
    glob = TensorDataset(torch.cat([p[0] for p in parts]), torch.cat([p[1] for p in parts]))
    return FederatedData(train, local, glob, hist)
