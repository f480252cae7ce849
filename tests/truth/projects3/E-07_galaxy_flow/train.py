import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader

from dataset import MORPHOLOGY, MockGalaxies
from flow import EMA, FlowMatching
from metrics import fit_feature_net, frechet, precision_recall, stats
from unet import UNet


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--accum", type=int, default=1)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--warmup", type=int, default=20)
    p.add_argument("--ema", type=float, default=0.995)
    p.add_argument("--precision", default="bf16", choices=["no", "bf16", "fp16"])
    p.add_argument("--ot", action="store_true", help="minibatch OT pairing")
    p.add_argument("--guidance", type=float, default=1.5)
    p.add_argument("--sample-steps", type=int, default=16)
    p.add_argument("--n-train", type=int, default=4096)
    p.add_argument("--n-eval", type=int, default=1024)
    p.add_argument("--eval-every", type=int, default=2)
    p.add_argument("--out", type=Path, default=Path("samples"))
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def save_grid(x, path, ncol):
    x = ((x.float().cpu() + 1) * 127.5).round().to(torch.uint8)
    n, _, h, w = x.shape
    rows = n // ncol
    grid = x[: rows * ncol, 0].reshape(rows, ncol, h, w).permute(0, 2, 1, 3).reshape(rows * h, ncol * w).numpy()
    with open(path, "wb") as f:
        f.write(f"P5 {grid.shape[1]} {grid.shape[0]} 255\n".encode())
        f.write(np.ascontiguousarray(grid).tobytes())


class Evaluator:
    def __init__(self, args, loader, device):
        self.args, self.device = args, device
        self.net, acc = fit_feature_net(loader, len(MORPHOLOGY), device)
        print(f"feature net train accuracy {acc:.3f}")
        held_out = MockGalaxies(args.n_eval, seed=args.seed + 100)
        self.labels = held_out.labels.to(device)
        self.real = self._features(held_out.images.to(device))
        self.real_stats = stats(self.real)
        other = MockGalaxies(args.n_eval, seed=args.seed + 200)
        self.floor = frechet(*self.real_stats, *stats(self._features(other.images.to(device))))
        print(f"FD real/real (floor): {self.floor:.4f}")

    @torch.no_grad()
    def _features(self, x):
        return torch.cat([self.net.features(c) for c in x.split(512)])

    @torch.no_grad()
    def __call__(self, flow, model):
        chunks = [flow.sample(model, y, (1, 16, 16), self.args.sample_steps, self.args.guidance)
                  for y in self.labels.split(512)]
        x = torch.cat(chunks).float()
        f = self._features(x)
        prec, rec = precision_recall(self.real, f)
        agree = (self.net.fc(f).argmax(1) == self.labels).float().mean().item()
        return dict(fd=frechet(*self.real_stats, *stats(f)), precision=prec, recall=rec, class_acc=agree), x


def main():
    args = parse()
    set_seed(args.seed)
    acc = Accelerator(mixed_precision=args.precision, gradient_accumulation_steps=args.accum)
    args.out.mkdir(parents=True, exist_ok=True)

    data = MockGalaxies(args.n_train, seed=args.seed)
    loader = DataLoader(data, args.batch, shuffle=True, drop_last=True)
    model = UNet(len(MORPHOLOGY)).to(acc.device)
    ema = EMA(model, args.ema)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01, betas=(0.9, 0.99))
    total = args.epochs * math.ceil(len(loader) / args.accum)
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: min(1.0, (s + 1) / args.warmup) * (0.5 * (1 + math.cos(math.pi * min(s / total, 1.0)))))

    evaluator = Evaluator(args, loader, acc.device)
    model, opt, loader, sched = acc.prepare(model, opt, loader, sched)
    flow = FlowMatching(len(MORPHOLOGY), ot_pairing=args.ot)
    acc.print(f"{sum(p.numel() for p in model.parameters()) / 1e3:.0f}k parameters, {len(loader)} steps per epoch")

    for epoch in range(args.epochs):
        model.train()
        t0, running = time.time(), 0.0
        by_t = torch.zeros(2, 5, device=acc.device)
        for x, y in loader:
            with acc.accumulate(model):
                loss, (t, per) = flow.loss(model, x, y)
                acc.backward(loss)
                if acc.sync_gradients:
                    acc.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                sched.step()
                opt.zero_grad()
            if acc.sync_gradients:
                ema.update(acc.unwrap_model(model))
            bins = (t * 5).long().clamp(max=4)
            by_t[0].index_add_(0, bins, per)
            by_t[1].index_add_(0, bins, torch.ones_like(per))
            running += loss.detach()
        prof = " ".join(f"{v:.3f}" for v in (by_t[0] / by_t[1].clamp(min=1)).tolist())
        acc.print(f"epoch {epoch + 1}: loss {(running / len(loader)).item():.4f} [t-bins {prof}] "
                  f"lr {sched.get_last_lr()[0]:.2e} {time.time() - t0:.1f}s")
        if (epoch + 1) % args.eval_every == 0 or epoch + 1 == args.epochs:
            m, x = evaluator(flow, ema.module)
            acc.print("   ema: " + "  ".join(f"{k} {v:.4f}" for k, v in m.items()))
            save_grid(x[:64], args.out / f"epoch_{epoch + 1:03d}.pgm", 8)

    raw, _ = evaluator(flow, model.eval())
    acc.print("   raw: " + "  ".join(f"{k} {v:.4f}" for k, v in raw.items()))
    torch.save({"ema": ema.module.state_dict(), "args": {k: str(v) for k, v in vars(args).items()}}, args.out / "last.pt")


if __name__ == "__main__":
    main()
