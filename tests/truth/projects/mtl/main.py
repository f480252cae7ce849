import argparse
import os
import time
from collections import defaultdict

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from metrics import delta_m, make_metrics
from model import LOSSES, MTLNet
from weighting import METHODS

parser = argparse.ArgumentParser()
parser.add_argument("--methods", nargs="+", default=["gradnorm", "pcgrad", "cagrad", "uncertainty"])
parser.add_argument("--epochs", default=2, type=int)
parser.add_argument("--batch", default=16, type=int)
parser.add_argument("--lr", default=2e-3, type=float)
parser.add_argument("--seed", default=0, type=int)
opt = parser.parse_args()


class NYULike(Dataset):
    def __init__(self, n, seed, size=32):
        rng = np.random.default_rng(seed)
        self.items = []
        yy, xx = np.mgrid[:size, :size] / size
        for _ in range(n):
            a, b = rng.normal(0, 0.7, 2)
            depth = (2 + a * xx + b * yy).clip(0.1)
            nrm = np.stack([np.full_like(xx, a), np.full_like(xx, b), np.ones_like(xx)])
            nrm /= np.linalg.norm(nrm, axis=0)
            seg = np.zeros((size, size), dtype=np.int64)
            for c in (1, 2, 3):
                y0, x0 = rng.integers(0, size - 10, 2)
                seg[y0:y0 + 10, x0:x0 + 10] = c
            img = np.stack([depth / 3 + 0.2 * (seg == 1), 0.5 * (seg == 2) + 0.3 * nrm[0], 0.5 * (seg == 3) + 0.3 * nrm[1]])
            img += rng.normal(0, 0.05, img.shape)
            depth[rng.random(depth.shape) < 0.05] = 0
            seg[rng.random(seg.shape) < 0.02] = -1
            self.items.append((torch.tensor(img, dtype=torch.float), torch.tensor(seg),
                               torch.tensor(depth, dtype=torch.float)[None], torch.tensor(nrm, dtype=torch.float)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        img, seg, depth, nrm = self.items[i]
        return img, {"semantic": seg, "depth": depth, "normal": nrm}


def to(d, device):
    return {k: v.to(device) for k, v in d.items()}


def run(method, train_loader, test_loader, device):
    torch.manual_seed(opt.seed)
    model = MTLNet().to(device)
    weighting = METHODS[method](list(LOSSES), device=device).to(device)
    params = [{"params": model.parameters()}]
    if method == "uncertainty":
        params.append({"params": weighting.parameters(), "lr": opt.lr * 10})
    optimizer = torch.optim.Adam(params, lr=opt.lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    best = -1e9
    for epoch in range(opt.epochs):
        t0, cost = time.time(), defaultdict(float)
        weight_log = []
        model.train()
        for k, (x, y) in enumerate(train_loader):
            x, y = x.to(device), to(y, device)
            pred = model(x)
            losses = {t: f(pred[t], y[t]) for t, f in LOSSES.items()}
            optimizer.zero_grad()
            weights = weighting.backward(losses, model)
            optimizer.step()
            weight_log.append(list(weights.values()))
            for t, l in losses.items():
                cost[t] += l.item() / len(train_loader)
            if k % 4 == 0:
                print("  {} it {:3d} ".format(method, k) + " ".join(f"{t}:{losses[t]:.3f}(w {weights[t]:.2f})" for t in losses))

        model.eval()
        metrics, val_cost = make_metrics(), defaultdict(float)
        with torch.no_grad():
            for x, y in test_loader:
                x, y = x.to(device), to(y, device)
                pred = model(x)
                for t in LOSSES:
                    val_cost[t] += LOSSES[t](pred[t], y[t]).item() / len(test_loader)
                    metrics[t].update(pred[t], y[t])
        scheduler.step()
        scores = {t: m.score() for t, m in metrics.items()}
        dm = delta_m(scores)
        print(f"[{method}] epoch {epoch} {time.time() - t0:.1f}s train {dict(cost)}")
        print(f"    val {({k: round(v, 3) for k, v in val_cost.items()})} mean w {np.mean(weight_log, 0).round(2)} dm {dm:.2f}")
        for t, s in scores.items():
            print("    " + t + ": " + ", ".join(f"{k} {v:.3f}" for k, v in s.items()))
        if dm > best:
            best = dm
            torch.save(model.state_dict(), f"out/mtl/{method}.pt")
    return best


if __name__ == "__main__":
    os.makedirs("out/mtl", exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tr = DataLoader(NYULike(160, 0), batch_size=opt.batch, shuffle=True, drop_last=True)
    te = DataLoader(NYULike(48, 1), batch_size=opt.batch)
    table = {m: run(m, tr, te, device) for m in opt.methods}
    for m, v in sorted(table.items(), key=lambda kv: -kv[1]):
        print(f"{m:12s} {v:8.2f}")
