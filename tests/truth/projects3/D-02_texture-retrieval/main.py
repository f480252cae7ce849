from __future__ import annotations

import argparse
import logging
import time
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from evaluate import embed, retrieval_metrics
from mining import TripletLoss
from net import EmbeddingNet
from textures import PKSampler, TextureDataset

log = logging.getLogger("retrieval")


def parse_args() -> argparse.Namespace:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument("--train-classes", type=int, default=48)
    p.add_argument("--test-classes", type=int, default=24)
    p.add_argument("--per-class", type=int, default=16)
    p.add_argument("--size", type=int, default=48)
    p.add_argument("-p", type=int, default=16, help="classes per batch")
    p.add_argument("-k", type=int, default=4, help="images per class")
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--steps-per-epoch", type=int, default=25)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--weight-decay", type=float, default=5e-4)
    p.add_argument("--dim", type=int, default=64)
    p.add_argument("--margin", type=float, default=0.2)
    p.add_argument("--soft-margin", action="store_true")
    p.add_argument("--mining", choices=["hard", "semihard", "all"], default="semihard")
    p.add_argument("--switch-epoch", type=int, default=4, help="move to batch-hard mining from this epoch")
    p.add_argument("--tta", action="store_true")
    p.add_argument("--out", type=Path, default=Path("runs/default"))
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def train_epoch(model, loader, loss_fn, optimizer, scheduler, device) -> dict[str, float]:
    model.train()
    totals: dict[str, float] = {}
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            emb = model(x)
        loss, stats = loss_fn(emb, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()
        for k, v in (stats | {"loss": loss.item()}).items():
            totals[k] = totals.get(k, 0.0) + v
    return {k: v / len(loader) for k, v in totals.items()}


def main() -> None:
    args = parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    args.out.mkdir(parents=True, exist_ok=True)

    train_set = TextureDataset(args.train_classes, args.per_class, args.size, seed=args.seed, augment=True)
    test_set = TextureDataset(args.test_classes, args.per_class, args.size, seed=args.seed + 1, augment=False)
    sampler = PKSampler(train_set.labels, args.p, args.k, args.steps_per_epoch, args.seed)
    pin = device.type == "cuda"
    train_loader = DataLoader(train_set, batch_sampler=sampler, pin_memory=pin)
    test_loader = DataLoader(test_set, batch_size=128, pin_memory=pin)

    model = EmbeddingNet(dim=args.dim).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=args.lr, total_steps=args.epochs * args.steps_per_epoch, pct_start=0.2
    )
    margin = None if args.soft_margin else args.margin
    loss_fn = TripletLoss(args.mining, margin)

    base = retrieval_metrics(*embed(model, test_loader, device))
    log.info("before training  %s", "  ".join(f"{k} {v:.3f}" for k, v in base.items()))
    best = 0.0
    for epoch in range(args.epochs):
        if epoch == args.switch_epoch and args.mining != "hard":
            log.info("switching to batch-hard mining")
            loss_fn = TripletLoss("hard", margin)
        t0 = time.perf_counter()
        tr = train_epoch(model, train_loader, loss_fn, optimizer, scheduler, device)
        te = retrieval_metrics(*embed(model, test_loader, device, args.tta))
        log.info("epoch %d (%.1fs)  %s", epoch, time.perf_counter() - t0, "  ".join(f"{k} {v:.3f}" for k, v in (tr | te).items()))
        if te["R@1"] > best:
            best = te["R@1"]
            torch.save({"model": model.state_dict(), "metrics": te, "dim": args.dim}, args.out / "best.pt")
    log.info("best R@1 %.3f", best)


if __name__ == "__main__":
    main()
