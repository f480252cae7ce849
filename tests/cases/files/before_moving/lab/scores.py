# options: --min-confidence possible
"""The same of what a model gave."""
from torch import Tensor


def crop(scores: Tensor, lengths: list[int]) -> list[Tensor]:
    pieces = []
    for length in lengths:
        kept = scores[scores > length]  # sync: dynamic-shape likely
        if kept.any():  # sync: tensor-truth likely
            pieces.append(kept)
    return pieces
