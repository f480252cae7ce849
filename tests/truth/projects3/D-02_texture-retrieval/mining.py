from __future__ import annotations

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Strategy = Literal["hard", "semihard", "all"]


def pairwise_distances(x: Tensor) -> Tensor:
    sq = (x * x).sum(dim=1)
    d2 = (sq[:, None] + sq[None] - 2 * x @ x.t()).clamp(min=0)
    zero = d2 <= 1e-12  # sqrt has an infinite gradient there
    return torch.where(zero, torch.zeros_like(d2), torch.where(zero, torch.ones_like(d2), d2).sqrt())


class TripletMiner:
    """Returns index triplets (anchor, positive, negative). No gradient flows through mining."""

    def __init__(self, strategy: Strategy, margin: float) -> None:
        self.strategy, self.margin = strategy, margin

    @torch.no_grad()
    def __call__(self, dist: Tensor, labels: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        same = labels[:, None] == labels[None]
        eye = torch.eye(len(labels), dtype=torch.bool, device=labels.device)
        pos, neg = same & ~eye, ~same

        if self.strategy == "hard":
            p = dist.masked_fill(~pos, -1.0).argmax(dim=1)
            n = dist.masked_fill(~neg, float("inf")).argmin(dim=1)
            a = torch.arange(len(labels), device=labels.device)
            return a, p, n

        if self.strategy == "semihard":
            a, p = pos.nonzero(as_tuple=True)
            d_ap = dist[a, p][:, None]
            d_an = dist[a]
            window = neg[a] & (d_an > d_ap) & (d_an < d_ap + self.margin)
            valid = window.any(dim=1)
            n = d_an.masked_fill(~window, float("inf")).argmin(dim=1)
            return a[valid], p[valid], n[valid]

        viol = dist[:, :, None] - dist[:, None, :] + self.margin > 0
        a, p, n = (pos[:, :, None] & neg[:, None, :] & viol).nonzero(as_tuple=True)
        return a, p, n


class TripletLoss(nn.Module):
    def __init__(self, strategy: Strategy = "semihard", margin: float | None = 0.2) -> None:
        super().__init__()
        self.margin = margin
        self.miner = TripletMiner(strategy, margin if margin is not None else 0.2)

    def forward(self, emb: Tensor, labels: Tensor) -> tuple[Tensor, dict[str, float]]:
        dist = pairwise_distances(emb)
        a, p, n = self.miner(dist, labels)
        if a.numel() == 0:
            return emb.sum() * 0.0, {"triplets": 0, "active": 0.0, "d_ap": 0.0, "d_an": 0.0}
        d_ap, d_an = dist[a, p], dist[a, n]
        if self.margin is None:
            per_triplet = F.softplus(d_ap - d_an)
        else:
            per_triplet = F.relu(d_ap - d_an + self.margin)
        active = per_triplet > 0
        loss = per_triplet.sum() / active.sum().clamp(min=1)
        stats = {
            "triplets": a.numel(),
            "active": active.float().mean().item(),
            "d_ap": d_ap.mean().item(),
            "d_an": d_an.mean().item(),
        }
        return loss, stats
