"""Train the visual-search embedding model.

Usage:
    python train.py --epochs 3 --miner hard
"""
from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import time
from collections import defaultdict
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset, Sampler

logger = logging.getLogger("embedding")


@dataclasses.dataclass
class Config:
    embedding_dim: int = 64
    num_ids: int = 24
    images_per_id: int = 12
    p: int = 8
    k: int = 4
    margin: float = 0.2
    miner: str = "hard"
    lr: float = 1e-3
    epochs: int = 3
    log_every: int = 3
    val_batch_size: int = 32
    output_dir: Path = Path("./out/embedding")
    seed: int = 7

    @classmethod
    def from_args(cls) -> "Config":
        parser = argparse.ArgumentParser(description=__doc__)
        for f in dataclasses.fields(cls):
            parser.add_argument(f"--{f.name.replace('_', '-')}", type=type(f.default), default=f.default)
        return cls(**vars(parser.parse_args()))


class ProductDataset(Dataset):
    def __init__(self, num_ids: int, images_per_id: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        base = rng.normal(size=(num_ids, 3, 32, 32))
        self.labels = np.repeat(np.arange(num_ids), images_per_id)
        self.images = (base[self.labels] + 1.5 * rng.normal(size=(len(self.labels), 3, 32, 32))).astype(np.float32)

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> Tuple[Tensor, int]:
        return torch.from_numpy(self.images[index]), int(self.labels[index])


class PKSampler(Sampler):
    """Yields batches with P identities and K images each."""

    def __init__(self, labels: np.ndarray, p: int, k: int, batches: int, seed: int = 0) -> None:
        self.p, self.k, self.batches = p, k, batches
        self.by_label: Dict[int, List[int]] = defaultdict(list)
        for i, l in enumerate(labels):
            self.by_label[int(l)].append(i)
        self.rng = np.random.default_rng(seed)

    def __iter__(self) -> Iterator[List[int]]:
        keys = list(self.by_label)
        for _ in range(self.batches):
            ids = self.rng.choice(keys, self.p, replace=False)
            yield [int(j) for i in ids for j in self.rng.choice(self.by_label[int(i)], self.k, replace=False)]

    def __len__(self) -> int:
        return self.batches


class EmbeddingNet(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        chans = [3, 32, 64, 128]
        layers: List[nn.Module] = []
        for cin, cout in zip(chans, chans[1:]):
            layers += [nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(), nn.MaxPool2d(2)]
        self.backbone = nn.Sequential(*layers)
        self.p = nn.Parameter(torch.tensor(3.0))  # GeM
        self.head = nn.Linear(chans[-1], dim)

    def forward(self, x: Tensor) -> Tensor:
        x = self.backbone(x).clamp(min=1e-6).pow(self.p).mean(dim=(2, 3)).pow(1.0 / self.p)
        return F.normalize(self.head(x), dim=1)


def pairwise_distance(emb: Tensor) -> Tensor:
    sq = (emb @ emb.t())
    diag = sq.diag()
    dist = (diag[:, None] - 2 * sq + diag[None, :]).clamp(min=0)
    mask = dist.eq(0).float()
    return (1 - mask) * torch.sqrt(dist + mask * 1e-12)


class TripletLoss(nn.Module):
    def __init__(self, margin: float, miner: str) -> None:
        super().__init__()
        if miner not in ("hard", "semihard", "all"):
            raise ValueError(f"unknown miner {miner!r}")
        self.margin, self.miner = margin, miner

    def forward(self, emb: Tensor, labels: Tensor) -> Tuple[Tensor, Dict[str, Tensor]]:
        dist = pairwise_distance(emb)
        same = labels[:, None] == labels[None, :]
        pos_mask = same & ~torch.eye(len(labels), dtype=torch.bool, device=emb.device)
        if self.miner == "hard":
            hardest_pos = (dist * pos_mask).max(dim=1).values
            hardest_neg = (dist + same * 1e4).min(dim=1).values
            per_anchor = F.relu(hardest_pos - hardest_neg + self.margin)
            active = (per_anchor > 0).float().mean()
            loss = per_anchor.mean()
        else:
            a, p = torch.nonzero(pos_mask, as_tuple=True)
            trip = dist[a, p][:, None] - dist[a] + self.margin
            valid = ~same[a]
            if self.miner == "semihard":
                valid &= (trip > 0) & (trip < self.margin)
            else:
                valid &= trip > 0
            n = valid.sum()
            if n == 0:
                return (emb * 0).sum(), {"active": torch.zeros(()), "pos": dist.mean(), "neg": dist.mean()}
            loss = trip[valid].mean()
            active = n / trip.numel()
        stats = {"active": active, "pos": dist[pos_mask].mean().detach(), "neg": dist[~same].mean().detach()}
        return loss, stats


class Trainer:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(cfg.seed)
        self.train_set = ProductDataset(cfg.num_ids, cfg.images_per_id, cfg.seed)
        self.val_set = ProductDataset(cfg.num_ids // 2, cfg.images_per_id, cfg.seed + 1)
        steps = len(self.train_set) // (cfg.p * cfg.k)
        self.loader = DataLoader(self.train_set, batch_sampler=PKSampler(self.train_set.labels, cfg.p, cfg.k, steps))
        self.val_loader = DataLoader(self.val_set, batch_size=cfg.val_batch_size)
        self.model = EmbeddingNet(cfg.embedding_dim).to(self.device)
        self.criterion = TripletLoss(cfg.margin, cfg.miner)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, cfg.lr, total_steps=steps * cfg.epochs)
        self.history: List[Dict[str, float]] = []
        self.best = 0.0
        cfg.output_dir.mkdir(parents=True, exist_ok=True)

    def train_epoch(self, epoch: int) -> float:
        self.model.train()
        running: Dict[str, float] = defaultdict(float)
        t0 = time.perf_counter()
        for step, (images, labels) in enumerate(self.loader, 1):
            images, labels = images.to(self.device), labels.to(self.device)
            loss, stats = self.criterion(self.model(images), labels)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            grad_norm = nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.optimizer.step()
            self.scheduler.step()
            running["loss"] += loss.item()
            running["grad_norm"] += float(grad_norm)
            for name, value in stats.items():
                running[name] += value.item()
            if step % self.cfg.log_every == 0:
                msg = " ".join(f"{k}={v / step:.4f}" for k, v in running.items())
                rate = step * self.cfg.p * self.cfg.k / (time.perf_counter() - t0)
                logger.info("epoch %d step %d/%d %s (%.1f img/s)", epoch, step, len(self.loader), msg, rate)
        return running["loss"] / len(self.loader)

    @torch.inference_mode()
    def evaluate(self, ks: Tuple[int, ...] = (1, 5)) -> Dict[str, float]:
        self.model.eval()
        embs, labels = [], []
        for x, y in self.val_loader:
            embs.append(self.model(x.to(self.device)).cpu())
            labels.append(y)
        emb, lab = torch.cat(embs), torch.cat(labels)
        sim = emb @ emb.t()
        sim.fill_diagonal_(-1)
        ranked = lab[sim.argsort(dim=1, descending=True)]
        hits = ranked == lab[:, None]
        metrics = {f"recall@{k}": hits[:, :k].any(dim=1).float().mean().item() for k in ks}
        ap = []
        for row in hits[:, :-1].numpy():
            idx = np.flatnonzero(row)
            ap.append(float(np.mean(np.arange(1, len(idx) + 1) / (idx + 1))))
        metrics["mAP"] = float(np.mean(ap))
        return metrics

    def fit(self) -> None:
        for epoch in range(1, self.cfg.epochs + 1):
            loss = self.train_epoch(epoch)
            metrics = self.evaluate()
            logger.info("epoch %d done: loss=%.4f %s", epoch, loss, metrics)
            self.history.append({"epoch": epoch, "loss": loss, **metrics})
            if metrics["mAP"] > self.best:
                self.best = metrics["mAP"]
                torch.save({"model": self.model.state_dict(), "metrics": metrics}, self.cfg.output_dir / "best.pt")
                logger.info("saved new best (mAP %.4f)", self.best)
            (self.cfg.output_dir / "history.json").write_text(json.dumps(self.history, indent=2))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    Trainer(Config.from_args()).fit()
