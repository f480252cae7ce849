"""A base class keeps which of its methods, or which function, is called: its constructor runs for subclasses alone."""
import math

import torch
import torch.nn.functional as F
from torch import nn


def cosine(a, b):
    return F.normalize(a, dim=1) @ F.normalize(b, dim=1).t()


def cosine_step(step, total):
    return 0.5 * (1 + math.cos(math.pi * step / total))


class PairLoss(nn.Module):
    """Loss over the pairs of a batch; a subclass says what a pair costs."""

    def __init__(self, by_mask, similarity=cosine, ramp=cosine_step, steps=1000, device="cuda"):
        super().__init__()
        self.device = device
        self.similarity = similarity
        self.ramp, self.step, self.steps = ramp, 0, steps
        self.costs = self.costs_by_mask if by_mask else self.costs_by_pair

    def forward(self, embeddings, labels):
        same = labels[:, None] == labels[None, :]
        if self.ramp(self.step, self.steps) < 0.5:
            return embeddings.sum() * 0
        self.step += 1
        return self.costs(self.similarity(embeddings, embeddings), same)

    def costs_by_mask(self, sim, same):
        positive = torch.zeros_like(sim)
        rows, columns = torch.where(same)  # sync: dynamic-shape likely
        positive[rows, columns] = 1  # sync: index-from-host likely
        assert not torch.any((positive != 0) & ~same), "a pair of two labels"  # sync: tensor-truth likely
        return self.cost(sim, positive)

    def costs_by_pair(self, sim, same):
        rows, columns = torch.where(same)  # sync: dynamic-shape likely
        return self.cost(sim[rows, columns], same)

    def cost(self, sim, positive):
        raise NotImplementedError
