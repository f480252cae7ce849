import argparse
import json
import math
import os
import time

import torch
from torch.utils.data import DataLoader

from augment import TwoViews
from data import ACTIVITIES, IMUWindows
from evaluate import extract, knn_accuracy, linear_probe
from model import Encoder, MoCo


def parse_args():
    p = argparse.ArgumentParser(description="MoCo on IMU windows")
    p.add_argument("--lr", default=0.06, type=float)
    p.add_argument("--epochs", default=6, type=int)
    p.add_argument("--warmup", default=1, type=int)
    p.add_argument("--batch-size", default=128, type=int)
    p.add_argument("--wd", default=5e-4, type=float)
    p.add_argument("--moco-dim", default=64, type=int)
    p.add_argument("--moco-k", default=1024, type=int, help="queue size")
    p.add_argument("--moco-m", default=0.99, type=float)
    p.add_argument("--moco-t", default=0.1, type=float)
    p.add_argument("--asymmetric", action="store_true")
    p.add_argument("--knn-k", default=20, type=int)
    p.add_argument("--results-dir", default="./results")
    p.add_argument("--resume", default="", type=str)
    p.add_argument("--seed", default=0, type=int)
    return p.parse_args()


def adjust_learning_rate(optimizer, epoch, args):
    if epoch < args.warmup:
        lr = args.lr * epoch / max(args.warmup, 1)
    else:
        lr = args.lr * 0.5 * (1.0 + math.cos(math.pi * (epoch - args.warmup) / max(args.epochs - args.warmup, 1)))
    for g in optimizer.param_groups:
        g["lr"] = lr
    return lr


def train_one_epoch(model, loader, optimizer, scaler, views, epoch, args, device):
    model.train()
    total_loss, total_acc, n = 0.0, 0.0, 0
    for it, (x, _) in enumerate(loader):
        lr = adjust_learning_rate(optimizer, epoch + it / len(loader), args)
        x = x.to(device, non_blocking=True)
        v1, v2 = views(x)
        with torch.autocast(device.type, dtype=torch.float16, enabled=scaler.is_enabled()):
            loss, acc = model(v1, v2, symmetric=not args.asymmetric)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        total_loss += loss.item() * x.size(0)
        total_acc += acc.item() * x.size(0)
        n += x.size(0)
    return total_loss / n, total_acc / n * 100, lr


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cudnn.benchmark = True

    train_set = IMUWindows(n_subjects=8, windows_per_class=32, seed=args.seed)
    test_set = IMUWindows(n_subjects=3, windows_per_class=24, seed=args.seed + 1, stats=train_set.stats)
    train_loader = DataLoader(train_set, args.batch_size, shuffle=True, drop_last=True, pin_memory=True)
    memory_loader = DataLoader(train_set, 256)
    test_loader = DataLoader(test_set, 256)

    model = MoCo(Encoder(proj_dim=args.moco_dim), args.moco_dim, args.moco_k, args.moco_m, args.moco_t).to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=args.lr, weight_decay=args.wd, momentum=0.9)
    scaler = torch.amp.GradScaler(device.type, enabled=device.type == "cuda")

    start = 0
    if args.resume:
        ck = torch.load(args.resume, map_location=device)
        model.load_state_dict(ck["state_dict"])
        optimizer.load_state_dict(ck["optimizer"])
        start = ck["epoch"] + 1
        print("resumed from", args.resume, "at epoch", start)

    os.makedirs(args.results_dir, exist_ok=True)
    views = TwoViews()
    history = []
    for epoch in range(start, args.epochs):
        t0 = time.time()
        loss, acc, lr = train_one_epoch(model, train_loader, optimizer, scaler, views, epoch, args, device)
        mem_f, mem_y = extract(model.encoder_q, memory_loader, device)
        te_f, te_y = extract(model.encoder_q, test_loader, device)
        knn = knn_accuracy(mem_f, mem_y, te_f, te_y, len(ACTIVITIES), k=args.knn_k)
        history.append(dict(epoch=epoch, loss=loss, inst_acc=acc, knn=knn))
        print(f"[{epoch + 1}/{args.epochs}] loss {loss:.4f} inst-acc {acc:.1f}% kNN {knn:.1f}% "
              f"lr {lr:.4f} ({time.time() - t0:.1f}s)")
        torch.save({"epoch": epoch, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()},
                   os.path.join(args.results_dir, "model_last.pth"))
        with open(os.path.join(args.results_dir, "log.json"), "w") as f:
            json.dump(history, f, indent=1)

    mem_f, mem_y = extract(model.encoder_q, memory_loader, device)
    te_f, te_y = extract(model.encoder_q, test_loader, device)
    acc, conf = linear_probe(mem_f, mem_y, te_f, te_y, len(ACTIVITIES))
    print(f"linear probe: {acc:.2f}%")
    for name, row in zip(ACTIVITIES, conf.tolist()):
        print(f"{name:>8s} " + " ".join(f"{v:4d}" for v in row))


if __name__ == "__main__":
    main()
