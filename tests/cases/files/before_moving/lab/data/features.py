# options: --min-confidence possible
"""Features are made of samples in the workers of a loader, before a batch is moved: what only an annotation says is a GPU
tensor is one seldom here. What is known to be there stays, and so does what asks for the way back."""
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Context:
    bonds: tuple[Tensor, Tensor]
    exists: Tensor

    def drop_leaving(self, distances: Tensor) -> None:
        for first, second in zip(*self.bonds):
            near = torch.where(distances[first.item()] < 1.5)
            self.exists[near] = False


def crop(tokens: Tensor, lengths: list[int]) -> list[Tensor]:
    pieces = []
    for length in lengths:
        kept = tokens[tokens > length]
        if kept.any():
            pieces.append(kept)
    return pieces


def one_hot(residues: Tensor, weights: list[float]) -> Tensor:
    scale = torch.tensor(weights, device=residues.device)
    return residues * scale


def masked_mean(values: Tensor, mask: Tensor) -> float:
    return values[mask > 0].mean().item()  # sync: dynamic-shape certain, host-read certain


def to_rows(predicted: Tensor, names: list[str]) -> list[list[float]]:
    rows = []
    for i in range(len(names)):
        rows.append(predicted[i].cpu().tolist())  # sync: copy-to-host possible
    return rows

__all__ = ["to_rows"]
