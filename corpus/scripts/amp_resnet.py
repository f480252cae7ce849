# Mixed precision training of a small residual network.
# Pinned loader, GradScaler, gradient clipping, progress bar.
import argparse
import logging
import math
import os

import numpy as np
import torch
from torch import nn
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

log = logging.getLogger("amp")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Block(nn.Module):
    def __init__(self, c_in, c_out, stride=1):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False),
            nn.BatchNorm2d(c_out),
            nn.ReLU(inplace=True),
            nn.Conv2d(c_out, c_out, 3, 1, 1, bias=False),
            nn.BatchNorm2d(c_out),
        )
        self.skip = nn.Identity() if c_in == c_out and stride == 1 else nn.Conv2d(c_in, c_out, 1, stride)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(self.body(x) + self.skip(x))


class SmallResNet(nn.Module):
    def __init__(self, n_classes=10, width=32):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.layers = nn.Sequential(Block(width, width), Block(width, 2 * width, 2), Block(2 * width, 4 * width, 2))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(4 * width, n_classes)

    def forward(self, x):
        return self.head(self.pool(self.layers(self.stem(x))).flatten(1))


class AverageMeter:
    """Keeps a running average."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


def accuracy(output, target, topk=(1,)):
    maxk = max(topk)
    _, pred = output.topk(maxk, 1, True, True)
    pred = pred.t()
    correct = pred.eq(target.view(1, -1).expand_as(pred))
    res = []
    for k in topk:
        correct_k = correct[:k].reshape(-1).float().sum(0)
        res.append((correct_k * 100.0 / target.size(0)).item())  # sync: host-read
    return res


def mixup(x, y, alpha=0.2):
    lam = float(np.random.beta(alpha, alpha))
    index = torch.randperm(x.size(0), device=x.device)
    return lam * x + (1 - lam) * x[index], y, y[index], lam


def train_one_epoch(model, loader, criterion, optimizer, scaler, epoch, clip):
    model.train()
    losses, top1 = AverageMeter(), AverageMeter()
    pbar = tqdm(loader, desc=f"epoch {epoch}", disable=None)
    for images, labels in pbar:
        images = images.to(DEVICE, non_blocking=True)
        labels = labels.to(DEVICE, non_blocking=True)
        images, y_a, y_b, lam = mixup(images, labels)
        optimizer.zero_grad(set_to_none=True)
        with autocast(device_type=DEVICE, dtype=torch.float16):
            logits = model(images)
            loss = lam * criterion(logits, y_a) + (1 - lam) * criterion(logits, y_b)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        grad_norm = nn.utils.clip_grad_norm_(model.parameters(), clip)
        scaler.step(optimizer)  # sync: grad-scaler
        scaler.update()

        (acc1,) = accuracy(logits.detach(), labels)
        losses.update(loss.item(), images.size(0))  # sync: host-read
        top1.update(acc1, images.size(0))
        if not math.isfinite(losses.avg):
            raise RuntimeError(f"loss is {losses.avg}, stopping")
        pbar.set_postfix(loss=losses.avg, norm=f"{grad_norm:.2f}", scale=scaler.get_scale())  # sync: host-read, grad-scaler
    return losses.avg, top1.avg


@torch.inference_mode()
def validate(model, loader, criterion):
    model.eval()
    total_loss = torch.zeros((), device=DEVICE)
    total_correct = torch.zeros((), dtype=torch.long, device=DEVICE)
    for images, labels in loader:
        images = images.to(DEVICE, non_blocking=True)
        labels = labels.to(DEVICE, non_blocking=True)
        with autocast(device_type=DEVICE, dtype=torch.float16):
            logits = model(images)
        total_loss += criterion(logits.float(), labels) * labels.size(0)
        total_correct += (logits.argmax(1) == labels).sum()
    n = len(loader.dataset)
    return total_loss.item() / n, total_correct.item() / n  # sync: host-read x2 note


def make_loaders(n, batch_size):
    x = torch.randn(n, 3, 32, 32)
    y = torch.randint(0, 10, (n,))
    log.info("class counts %s", torch.bincount(y).tolist())
    split = int(0.8 * n)
    train = TensorDataset(x[:split], y[:split])
    val = TensorDataset(x[split:], y[split:])
    return (
        DataLoader(train, batch_size, shuffle=True, pin_memory=True, drop_last=True),
        DataLoader(val, batch_size, pin_memory=True),
    )


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--samples", type=int, default=4096)
    ap.add_argument("--bs", type=int, default=128)
    ap.add_argument("--lr", type=float, default=0.1)
    ap.add_argument("--clip", type=float, default=1.0)
    ap.add_argument("--workdir", default="amp_run")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    os.makedirs(args.workdir, exist_ok=True)

    train_loader, val_loader = make_loaders(args.samples, args.bs)
    model = SmallResNet().to(DEVICE, memory_format=torch.channels_last)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    scaler = GradScaler(DEVICE)

    for epoch in range(args.epochs):
        tr_loss, tr_acc = train_one_epoch(model, train_loader, criterion, optimizer, scaler, epoch, args.clip)
        val_loss, val_acc = validate(model, val_loader, criterion)
        scheduler.step()
        log.info("epoch %d train %.3f/%.2f val %.3f/%.3f", epoch, tr_loss, tr_acc, val_loss, val_acc)
        state = {
            "epoch": epoch,
            "model": model.state_dict(),
            "scaler": scaler.state_dict(),  # sync: grad-scaler note
        }
        torch.save(state, os.path.join(args.workdir, "last.pth"))  # sync: copy-to-host note


if __name__ == "__main__":
    main()
