from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import defaultdict

import torch
from torch.utils.data import DataLoader

from mtl import (DepthMetric, Forge, GradNormWeighting, MultiTaskLoss, MultiTaskNet, NormalMetric, SegMetric,
                 StaticWeighting, UncertaintyWeighting)
from mtl.data import Blobs3D

N_CLASSES = 5
TASKS = {"seg": N_CLASSES, "depth": 1, "normal": 3}
WEIGHTING = {"static": StaticWeighting, "uncertainty": UncertaintyWeighting, "gradnorm": GradNormWeighting}


@torch.inference_mode()
def validate(forge: Forge, model, criterion, loader) -> tuple[float, dict[str, float]]:
    model.eval()
    criterion.eval()
    metrics = {"seg": SegMetric(N_CLASSES, forge.device), "depth": DepthMetric(), "normal": NormalMetric()}
    total, n = torch.zeros((), device=forge.device), 0
    for batch in loader:
        with forge.autocast():
            out = model(batch["image"])
        _, losses = criterion(out, batch, model)
        total += sum(losses.values())
        n += 1
        for t, m in metrics.items():
            m.update(out[t], batch[t])
    res = {f"{t}/{k}": v for t, m in metrics.items() for k, v in m.compute().items()}
    return forge.all_reduce(total / n).item(), res


def delta_mtl(res: dict[str, float], ref: dict[str, float]) -> float:
    """average relative change against the first epoch; sign so that + is better"""
    keys = {"seg/miou": 1, "depth/rmse": -1, "normal/mean_deg": -1}
    return sum(s * (res[k] - ref[k]) / max(abs(ref[k]), 1e-8) for k, s in keys.items()) / len(keys) * 100


def fit(weighting: str, args: argparse.Namespace) -> dict[str, float]:
    forge = Forge(args.precision, args.accumulate, args.clip, args.seed)
    model = MultiTaskNet(TASKS, args.ch)
    criterion = MultiTaskLoss(list(TASKS), WEIGHTING[weighting](list(TASKS)))
    groups = [{"params": model.parameters(), "weight_decay": 0.02}]
    extra = list(criterion.parameters())
    if extra:
        groups.append({"params": extra, "weight_decay": 0.0, "lr": 10 * args.lr})
    optimizer = torch.optim.AdamW(groups, lr=args.lr)
    train_dl = DataLoader(Blobs3D(args.n_train), args.batch_size, shuffle=True, num_workers=2, pin_memory=True)
    val_dl = DataLoader(Blobs3D(128, seed=7), args.batch_size, num_workers=1, pin_memory=True)
    steps = args.epochs * -(-len(train_dl) // args.accumulate)
    sched = torch.optim.lr_scheduler.OneCycleLR(optimizer, [g["lr"] for g in optimizer.param_groups], total_steps=steps + 1)
    model, optimizer = forge.setup(model, optimizer)
    criterion = forge.setup(criterion)
    train_dl, val_dl = forge.setup_loaders(train_dl, val_dl)

    path = os.path.join(args.out, f"{weighting}.ckpt")
    best, ref, global_step = float("inf"), None, 0
    for epoch in range(args.epochs):
        model.train()
        criterion.train()
        running = defaultdict(float)
        tic = time.perf_counter()
        for i, batch in enumerate(train_dl):
            with forge.accumulate():
                with forge.autocast():
                    out = model(batch["image"])
                loss, parts = criterion(out, batch, model)
                forge.backward(loss)
                gn = forge.clip_gradients(model, optimizer)
                optimizer.step()
                optimizer.zero_grad()
                if forge.sync_gradients:
                    sched.step()
                    global_step += 1
            running["total"] += loss.detach()
            for t, l in parts.items():
                running[t] += l.detach()
            if gn is not None and global_step % args.log_every == 0:
                avg = {k: f"{v.item() / (i + 1):.3f}" for k, v in running.items()}
                w = {k: round(v, 3) for k, v in criterion.weighting.describe().items()}
                forge.print(f"[{weighting}] e{epoch} s{global_step} {avg} w={w} gn={gn:.2f} "
                            f"lr={sched.get_last_lr()[0]:.1e} {(i + 1) / (time.perf_counter() - tic):.1f} it/s")
        val, res = validate(forge, model, criterion, val_dl)
        ref = ref or res
        forge.print(f"[{weighting}] epoch {epoch} val {val:.4f} dMTL {delta_mtl(res, ref):+.1f}% "
                    + " ".join(f"{k}={v:.3f}" for k, v in res.items()))
        if val < best:
            best = val
            forge.save(path, model=model, criterion=criterion, optimizer=optimizer, epoch=epoch, step=global_step)
    meta = forge.load(path, model=model, criterion=criterion)
    forge.print(f"[{weighting}] restored epoch {meta['epoch']} (val {best:.4f}), skipped steps {optimizer.skipped}")
    return validate(forge, model, criterion, val_dl)[1]


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("--weighting", nargs="+", default=["uncertainty", "gradnorm"], choices=list(WEIGHTING))
    p.add_argument("--precision", default="fp16", choices=["fp32", "fp16", "bf16"])
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--n-train", type=int, default=640)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--accumulate", type=int, default=2)
    p.add_argument("--clip", type=float, default=2.0)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--ch", type=int, default=24)
    p.add_argument("--log-every", type=int, default=5)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--out", default=None)
    args = p.parse_args()
    args.out = args.out or tempfile.mkdtemp(prefix="mtl_")
    table = {w: fit(w, args) for w in args.weighting}
    keys = list(next(iter(table.values())))
    print("weighting".ljust(14) + " ".join(k.rjust(16) for k in keys))
    for w, r in table.items():
        print(w.ljust(14) + " ".join(f"{r[k]:16.4f}" for k in keys))


if __name__ == "__main__":
    main()
