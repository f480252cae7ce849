"""Shapes written as jaxtyping and torchtyping have them: they say tensor, not where it is."""
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def masked_mean(x: Float[Tensor, "b t d"], mask: Bool[Tensor, "b t"]) -> Float[Tensor, ""]:
    if not mask.any():  # sync: tensor-truth
        return x.sum() * 0
    return x[mask].mean()  # sync: dynamic-shape


def entropy_of(p: "Float[torch.Tensor, 'b t d'] | None") -> Float[Tensor, ""]:
    if p is None:
        return torch.zeros(())
    return -(p * p.clamp_min(1e-9).log()).sum(-1).mean()


def report(counts: Int[Tensor, "n"]) -> list[int]:
    return [int(c) for c in counts.cpu()]  # sync: copy-to-host

__all__ = ["report"]
