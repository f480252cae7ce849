from __future__ import annotations

import math

import torch
from torch import Tensor


class SegMetric:
    def __init__(self, n_classes: int, device):
        self.n = n_classes
        self.cm = torch.zeros(n_classes, n_classes, dtype=torch.long, device=device)

    def update(self, p: Tensor, t: Tensor) -> None:
        valid = t != 255
        idx = t[valid] * self.n + p.argmax(1)[valid]
        self.cm += torch.bincount(idx, minlength=self.n ** 2).view(self.n, self.n)

    def compute(self) -> dict[str, float]:
        cm = self.cm.cpu().double()
        iou = cm.diag() / (cm.sum(0) + cm.sum(1) - cm.diag()).clamp(min=1)
        return {"miou": iou.mean().item(), "acc": (cm.diag().sum() / cm.sum()).item()}


class DepthMetric:
    def __init__(self):
        self.abs_rel = self.sq = self.d1 = self.n = 0.0

    def update(self, p: Tensor, t: Tensor) -> None:
        m = t > 0
        p, t = p.float()[m], t[m]
        self.abs_rel += ((p - t).abs() / t).sum().item()
        self.sq += ((p - t) ** 2).sum().item()
        self.d1 += (torch.maximum(p / t, t / p) < 1.25).sum().item()
        self.n += m.sum().item()

    def compute(self) -> dict[str, float]:
        return {"abs_rel": self.abs_rel / self.n, "rmse": math.sqrt(self.sq / self.n), "delta1": self.d1 / self.n}


class NormalMetric:
    def __init__(self):
        self.angles: list[Tensor] = []

    def update(self, p: Tensor, t: Tensor) -> None:
        cos = (p.float() * t).sum(1).clamp(-1, 1)
        self.angles.append(torch.rad2deg(torch.acos(cos)).flatten().cpu())

    def compute(self) -> dict[str, float]:
        a = torch.cat(self.angles)
        return {"mean_deg": a.mean().item(), "median_deg": a.median().item(), "in11": (a < 11.25).float().mean().item()}
