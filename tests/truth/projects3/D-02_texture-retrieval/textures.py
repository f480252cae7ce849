"""Procedural texture "products": every class is a recipe of gratings, colours and blobs.

Train and test classes are disjoint, as in CUB / SOP / In-Shop protocols.
"""
from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset, Sampler


@dataclass(frozen=True)
class Recipe:
    freqs: Tensor  # (G, 2)
    phases: Tensor  # (G,)
    colours: Tensor  # (G, 3)
    base: Tensor  # (3,)
    blob: Tensor  # (3,) x, y, radius


def sample_recipe(g: torch.Generator, n_gratings: int = 3) -> Recipe:
    theta = torch.rand(n_gratings, generator=g) * math.pi
    mag = 2 + 8 * torch.rand(n_gratings, generator=g)
    return Recipe(
        freqs=torch.stack([mag * theta.cos(), mag * theta.sin()], dim=1),
        phases=torch.rand(n_gratings, generator=g) * 2 * math.pi,
        colours=torch.randn(n_gratings, 3, generator=g) * 0.35,
        base=torch.rand(3, generator=g),
        blob=torch.rand(3, generator=g) * 0.5 + 0.1,
    )


def render(recipe: Recipe, size: int, g: torch.Generator) -> Tensor:
    """One photo of the product: random pose, illumination and sensor noise."""
    lin = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(lin, lin, indexing="ij")
    r = torch.randn(4, generator=g)
    ang, scale = 0.25 * r[0].item(), math.exp(0.12 * r[1].item())
    ca, sa = math.cos(ang) * scale, math.sin(ang) * scale
    u = ca * xx - sa * yy + 0.2 * r[2]
    v = sa * xx + ca * yy + 0.2 * r[3]

    waves = recipe.freqs[:, 0, None, None] * u + recipe.freqs[:, 1, None, None] * v
    waves = torch.sin(waves + recipe.phases[:, None, None])
    img = recipe.base[:, None, None] + torch.einsum("ghw,gc->chw", waves, recipe.colours)
    bx, by, rad = recipe.blob.tolist()
    blob = torch.exp(-((u - bx) ** 2 + (v - by) ** 2) / (rad**2))
    img = img + 0.6 * blob
    gain = 1 + 0.25 * torch.randn(3, 1, 1, generator=g)
    img = img * gain + 0.08 * torch.randn(3, size, size, generator=g)
    return img.clamp(-1, 2)


class TextureDataset(Dataset[tuple[Tensor, int]]):
    def __init__(self, n_classes: int, per_class: int, size: int, seed: int, augment: bool) -> None:
        g = torch.Generator().manual_seed(seed)
        recipes = [sample_recipe(g) for _ in range(n_classes)]
        self.images = torch.stack([render(r, size, g) for r in recipes for _ in range(per_class)])
        self.labels = torch.arange(n_classes).repeat_interleave(per_class)
        self.augment = augment

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, idx: int) -> tuple[Tensor, int]:
        x = self.images[idx]
        if self.augment:
            pad = 4
            h, w = x.shape[-2:]
            x = torch.nn.functional.pad(x[None], (pad,) * 4, mode="reflect")[0]
            top, left = (int(v) for v in torch.randint(0, 2 * pad + 1, (2,)))
            x = x[:, top : top + h, left : left + w]
            if torch.rand(()) < 0.3:  # random erasing
                cy, cx = (int(v) for v in torch.randint(0, h - 8, (2,)))
                x = x.clone()
                x[:, cy : cy + 8, cx : cx + 8] = 0.5
        return x, int(self.labels[idx])


class PKSampler(Sampler[list[int]]):
    """Batches of P classes with K images each."""

    def __init__(self, labels: Tensor, p: int, k: int, n_batches: int, seed: int = 0) -> None:
        self.index = {int(c): np.flatnonzero(labels.numpy() == int(c)) for c in labels.unique()}
        self.p, self.k, self.n_batches = p, k, n_batches
        self.rng = np.random.default_rng(seed)

    def __len__(self) -> int:
        return self.n_batches

    def __iter__(self) -> Iterator[list[int]]:
        classes = np.array(list(self.index))
        for _ in range(self.n_batches):
            batch: list[int] = []
            for c in self.rng.choice(classes, self.p, replace=False):
                pool = self.index[int(c)]
                batch.extend(self.rng.choice(pool, self.k, replace=len(pool) < self.k).tolist())
            yield batch
