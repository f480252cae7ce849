from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader


@torch.inference_mode()
def embed(model: nn.Module, loader: DataLoader, device: torch.device, tta: bool = False) -> tuple[Tensor, Tensor]:
    model.eval()
    embs, labels = [], []
    for x, y in loader:
        x = x.to(device, non_blocking=True)
        e = model(x)
        if tta:
            e = torch.nn.functional.normalize(e + model(x[..., 1:-1, 1:-1]), dim=-1)
        embs.append(e)
        labels.append(y)
    return torch.cat(embs), torch.cat(labels).to(device)


@torch.inference_mode()
def retrieval_metrics(emb: Tensor, labels: Tensor, ks: tuple[int, ...] = (1, 2, 4, 8), chunk: int = 256) -> dict[str, float]:
    """Leave-one-out retrieval: recall@k, mAP@R and R-precision."""
    hits = {k: 0 for k in ks}
    map_r = r_prec = 0.0
    counts = torch.bincount(labels)
    max_r = int(counts.max()) - 1
    topk = max(max(ks), max_r)
    for start in range(0, len(emb), chunk):
        q = emb[start : start + chunk]
        sim = q @ emb.t()
        rows = torch.arange(len(q), device=emb.device)
        sim[rows, rows + start] = -torch.inf
        idx = sim.topk(topk, dim=1).indices
        match = labels[idx] == labels[start : start + chunk, None]
        for k in ks:
            hits[k] += int(match[:, :k].any(dim=1).sum())
        r = counts[labels[start : start + chunk]] - 1
        rank = torch.arange(1, max_r + 1, device=emb.device)
        m = match[:, :max_r] & (rank <= r[:, None])
        prec = m.cumsum(dim=1) / rank
        map_r += ((prec * m).sum(dim=1) / r).sum().item()
        r_prec += (m.sum(dim=1) / r).sum().item()
    n = len(emb)
    out = {f"R@{k}": h / n for k, h in hits.items()}
    return out | {"mAP@R": map_r / n, "RP": r_prec / n}
