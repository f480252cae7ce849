import argparse
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Subset, WeightedRandomSampler

from minitrain import BestWeights, CSVLogger, EarlyStopping, GradientMonitor, Trainer
from project.acquire import ACQUISITION, expected_calibration_error, mc_predict
from project.spectra import RamanSpectra

N_CLASSES = 8


class SpectraNet(nn.Module):
    def __init__(self, width=32, p=0.25):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(1, width, 9, padding=4), nn.BatchNorm1d(width), nn.ReLU(), nn.MaxPool1d(2))
        self.mid = nn.Sequential(nn.Conv1d(width, 2 * width, 7, padding=3), nn.BatchNorm1d(2 * width), nn.ReLU(),
                                 nn.MaxPool1d(4), nn.Dropout1d(p / 2))
        self.deep = nn.Sequential(nn.Conv1d(2 * width, 2 * width, 5, padding=2), nn.BatchNorm1d(2 * width), nn.ReLU(),
                                  nn.MaxPool1d(4), nn.Flatten(), nn.Dropout(p))
        self.head = nn.Sequential(nn.Linear(2 * width * 8, 96), nn.ReLU(), nn.Dropout(p), nn.Linear(96, N_CLASSES))

    def forward(self, x):
        return self.head(self.deep(self.mid(self.stem(x))))


def classification_step(model, batch):
    x, y = batch
    out = model(x)
    return F.cross_entropy(out.float(), y), {"acc": (out.argmax(-1) == y).float().mean()}


class Pool:
    def __init__(self, dataset, n_init, generator):
        perm = torch.randperm(len(dataset), generator=generator)
        self.dataset = dataset
        self.labelled, self.unlabelled = perm[:n_init], perm[n_init:]

    def acquire(self, positions):
        mask = torch.zeros(len(self.unlabelled), dtype=torch.bool)
        mask[positions] = True
        self.labelled = torch.cat([self.labelled, self.unlabelled[mask]])
        self.unlabelled = self.unlabelled[~mask]

    def train_loader(self, batch_size, min_batches):
        y = self.dataset.y[self.labelled]
        w = 1.0 / torch.bincount(y, minlength=N_CLASSES).clamp_min(1).float()[y].sqrt()
        n = max(len(y), batch_size * min_batches)
        sampler = WeightedRandomSampler(w, n, replacement=True)
        return DataLoader(Subset(self.dataset, self.labelled.tolist()), batch_size, sampler=sampler, drop_last=True)

    def pool_loader(self, batch_size=256):
        return DataLoader(Subset(self.dataset, self.unlabelled.tolist()), batch_size)


def fit_round(pool, val_loader, args, device, csv_path, static):
    model = SpectraNet().to(device)
    loader = pool.train_loader(args.batch_size, min_batches=6)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=args.epochs * len(loader))
    trainer = Trainer(model, classification_step, opt, device=device, scheduler=sched, grad_clip=1.0,
                      amp_dtype=torch.bfloat16 if args.amp else None,
                      callbacks=[BestWeights("val/acc"), GradientMonitor(), CSVLogger(csv_path, **static),
                                 EarlyStopping(patience=args.patience)])
    logs = trainer.fit(loader, val_loader, args.epochs)
    return trainer, logs


def run_strategy(name, train_set, val_loader, test_set, args, device):
    torch.manual_seed(args.seed)
    pool = Pool(train_set, args.n_init, torch.Generator().manual_seed(args.seed))
    test_loader = DataLoader(test_set, 256)
    test_y = test_set.y.to(device)
    curve = []
    for rnd in range(args.rounds):
        t0 = time.time()
        trainer, logs = fit_round(pool, val_loader, args, device, args.out / "log.csv", {"strategy": name, "round": rnd})
        test = trainer.evaluate(test_loader, "test/")
        p = mc_predict(trainer.model, test_loader, device, args.mc).exp().mean(1)
        mc_acc = (p.argmax(-1) == test_y).float().mean().item()
        ece = expected_calibration_error(p, test_y)
        curve.append((len(pool.labelled), mc_acc))
        print(f"[{name:>9s}] round {rnd} n={len(pool.labelled):4d} val {logs['val/acc']:.3f} test {test['test/acc']:.3f} "
              f"mc {mc_acc:.3f} ece {ece:.3f} epochs {trainer.epoch + 1} ({time.time() - t0:.1f}s)")
        if rnd == 0 and args.verbose:
            print("    " + " ".join(f"{k}={v:.3g}" for k, v in logs["monitor"].items()))
        if rnd + 1 < args.rounds:
            scores = ACQUISITION.build(name, mc_predict(trainer.model, pool.pool_loader(), device, args.mc))
            pool.acquire(scores.topk(args.budget).indices.cpu())
    torch.save(trainer.model.state_dict(), args.out / f"{name}.pt")
    return curve


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--strategies", default="random,bald,margin")
    ap.add_argument("--rounds", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--n-init", type=int, default=64)
    ap.add_argument("--budget", type=int, default=48)
    ap.add_argument("--mc", type=int, default=12)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--patience", type=int, default=4)
    ap.add_argument("--amp", action="store_true")
    ap.add_argument("--verbose", action="store_true")
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--out", type=Path, default=Path("runs"))
    args = ap.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "log.csv").unlink(missing_ok=True)
    train_set = RamanSpectra(1500, N_CLASSES, seed=args.seed)
    val_loader = DataLoader(RamanSpectra(256, N_CLASSES, seed=args.seed + 1), 256)
    test_set = RamanSpectra(512, N_CLASSES, seed=args.seed + 2)

    curves = {s: run_strategy(s, train_set, val_loader, test_set, args, device) for s in args.strategies.split(",")}
    print("labels    " + " ".join(f"{n:7d}" for n, _ in next(iter(curves.values()))))
    for s, c in curves.items():
        area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(c[:-1], c[1:])) / (c[-1][0] - c[0][0])
        print(f"{s:>9s} " + " ".join(f"{a:7.3f}" for _, a in c) + f"   area {area:.3f}")


if __name__ == "__main__":
    main()
