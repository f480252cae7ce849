from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def seg_loss(p: Tensor, t: Tensor) -> Tensor:
    ce = F.cross_entropy(p.float(), t, ignore_index=255)
    valid = (t != 255)
    prob = p.float().softmax(1) * valid[:, None]
    onehot = F.one_hot(t.masked_fill(~valid, 0), p.size(1)).permute(0, 3, 1, 2) * valid[:, None]
    inter = (prob * onehot).sum((0, 2, 3))
    dice = 1 - (2 * inter + 1) / (prob.sum((0, 2, 3)) + onehot.sum((0, 2, 3)) + 1)
    return ce + 0.5 * dice.mean()


def depth_loss(p: Tensor, t: Tensor) -> Tensor:
    mask = t > 0
    d = torch.log(p.float()[mask] + 1e-4) - torch.log(t[mask])
    return torch.sqrt((d ** 2).mean() - 0.5 * d.mean() ** 2 + 1e-6)


def normal_loss(p: Tensor, t: Tensor) -> Tensor:
    return (1 - F.cosine_similarity(p.float(), t, dim=1)).mean()


LOSSES = {"seg": seg_loss, "depth": depth_loss, "normal": normal_loss}


class StaticWeighting(nn.Module):
    def __init__(self, tasks: list[str], weights: dict[str, float] | None = None):
        super().__init__()
        self.w = {t: (weights or {}).get(t, 1.0) for t in tasks}

    def forward(self, losses: dict[str, Tensor], model=None) -> Tensor:
        return sum(self.w[t] * l for t, l in losses.items())

    def describe(self) -> dict[str, float]:
        return dict(self.w)


class UncertaintyWeighting(nn.Module):
    """Kendall, Gal & Cipolla 2018"""

    def __init__(self, tasks: list[str]):
        super().__init__()
        self.log_var = nn.ParameterDict({t: nn.Parameter(torch.zeros(())) for t in tasks})

    def forward(self, losses: dict[str, Tensor], model=None) -> Tensor:
        total = 0.0
        for t, l in losses.items():
            s = self.log_var[t]
            total = total + torch.exp(-s) * l + 0.5 * s
        return total

    def describe(self) -> dict[str, float]:
        return {t: torch.exp(-s).item() for t, s in self.log_var.items()}


class GradNormWeighting(nn.Module):
    """no learned weights: balance by the inverse gradient norm at the last shared layer (EMA)"""

    def __init__(self, tasks: list[str], decay: float = 0.9, every: int = 4):
        super().__init__()
        self.tasks, self.decay, self.every = tasks, decay, every
        self.register_buffer("w", torch.ones(len(tasks)))
        self.calls = 0

    def forward(self, losses: dict[str, Tensor], model=None) -> Tensor:
        if self.training and torch.is_grad_enabled() and self.calls % self.every == 0:
            norms = []
            for t in self.tasks:
                g = torch.autograd.grad(losses[t], model.last_shared, retain_graph=True)[0]
                norms.append(g.float().norm())
            inv = 1.0 / (torch.stack(norms) + 1e-6)
            inv = inv * len(self.tasks) / inv.sum()
            self.w.mul_(self.decay).add_(inv, alpha=1 - self.decay)
        self.calls += 1
        w = self.w.clone()
        return sum(w[i] * losses[t] for i, t in enumerate(self.tasks))

    def describe(self) -> dict[str, float]:
        return dict(zip(self.tasks, self.w.tolist()))


class MultiTaskLoss(nn.Module):
    def __init__(self, tasks: list[str], weighting: nn.Module):
        super().__init__()
        self.tasks, self.weighting = tasks, weighting

    def forward(self, out, batch, model=None):
        losses = {t: LOSSES[t](out[t], batch[t]) for t in self.tasks}
        for t, l in losses.items():
            if not torch.isfinite(l):
                raise FloatingPointError(f"loss of task {t} is {l.item()}")
        return self.weighting(losses, model), losses
