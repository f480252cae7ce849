"""Distil a segmentation teacher into a student; mean IoU from a confusion matrix."""
import argparse
import itertools
import logging
import os
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
_log = logging.getLogger("seg")
IGNORE = 255


class Shapes(Dataset):
    def __init__(self, n, n_classes=4, size=48):
        self.n, self.n_classes, self.size = n, n_classes, size

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        rng = np.random.default_rng(i)
        mask = np.zeros((self.size, self.size), dtype=np.int64)
        for c in range(1, self.n_classes):
            x, y = rng.integers(0, self.size - 16, 2)
            mask[y:y + 16, x:x + 16] = c
        image = np.stack([mask == c for c in range(1, 4)]).astype(np.float32)
        image += rng.normal(scale=0.3, size=image.shape).astype(np.float32)
        mask[rng.random(mask.shape) < 0.02] = IGNORE
        return torch.from_numpy(image), torch.from_numpy(mask)


def make_net(width, n_classes):
    return nn.Sequential(
        nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
        nn.Conv2d(width, width, 3, padding=2, dilation=2), nn.BatchNorm2d(width), nn.ReLU(),
        nn.Conv2d(width, n_classes, 1),
    )


class ConfusionMatrix:
    def __init__(self, num_classes):
        self.num_classes = num_classes
        self.mat = None

    def update(self, a, b):
        n = self.num_classes
        if self.mat is None:
            self.mat = torch.zeros((n, n), dtype=torch.int64, device=a.device)
        k = (a >= 0) & (a < n)
        inds = n * a[k].to(torch.int64) + b[k]  # sync: dynamic-shape x2
        self.mat += torch.bincount(inds, minlength=n ** 2).reshape(n, n)  # sync: dynamic-shape

    def compute(self):
        h = self.mat.float()
        acc_global = torch.diag(h).sum() / h.sum()
        iu = torch.diag(h) / (h.sum(1) + h.sum(0) - torch.diag(h)).clamp(min=1)
        return acc_global, iu

    def __str__(self):
        acc_global, iu = self.compute()
        return "global correct: {:.1f} IoU: {} mean IoU: {:.1f}".format(
            acc_global.item() * 100,  # sync: host-read note
            ["{:.1f}".format(i) for i in (iu * 100).tolist()],  # sync: host-read note
            iu.mean().item() * 100,  # sync: host-read note
        )


class DistillLoss(nn.Module):
    def __init__(self, T=2.0, alpha=0.5, ohem_ratio=None):
        super().__init__()
        self.T, self.alpha, self.ohem_ratio = T, alpha, ohem_ratio

    def forward(self, student_logits, teacher_logits, target):
        valid = target != IGNORE
        ce = F.cross_entropy(student_logits, target, ignore_index=IGNORE, reduction="none")
        if self.ohem_ratio:
            flat = ce[valid]  # sync: dynamic-shape
            k = int(self.ohem_ratio * flat.numel())
            hard = torch.topk(flat, k).values.mean()
        else:
            hard = ce.sum() / valid.sum()
        s = F.log_softmax(student_logits / self.T, dim=1)
        t = F.softmax(teacher_logits / self.T, dim=1)
        soft = F.kl_div(s, t, reduction="none").sum(1)
        soft[~valid] = 0
        soft = soft.sum() / valid.sum() * self.T ** 2
        return self.alpha * hard + (1 - self.alpha) * soft


def poly_lr(optimizer, base, it, total, power=0.9):
    lr = base * (1 - it / total) ** power
    for g in optimizer.param_groups:
        g["lr"] = lr
    return lr


def pretrain_teacher(teacher, loader, device, iters):
    opt = torch.optim.Adam(teacher.parameters(), 1e-3)
    teacher.train()
    for it, (img, target) in enumerate(itertools.islice(itertools.cycle(loader), iters)):
        img, target = img.to(device, non_blocking=True), target.to(device, non_blocking=True)
        loss = F.cross_entropy(teacher(img), target, ignore_index=IGNORE)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
    _log.info("teacher pretrained, last loss %.4f", loss.item())
    return teacher.eval().requires_grad_(False)


@torch.no_grad()
def evaluate(model, loader, device, n_classes):
    model.eval()
    confmat = ConfusionMatrix(n_classes)
    inter = torch.zeros(n_classes, device=device)
    for img, target in loader:
        img, target = img.to(device), target.to(device)  # sync: copy-to-device x2
        pred = model(img).argmax(1)
        confmat.update(target.flatten(), pred.flatten())
        for c in range(n_classes):
            inter[c] += ((pred == c) & (target == c)).sum()
    return confmat, inter


def main(args):
    random.seed(0)
    torch.manual_seed(0)
    os.makedirs(args.save_dir, exist_ok=True)
    device = torch.device(args.device)
    loader = DataLoader(Shapes(args.images), args.batch_size, shuffle=True, pin_memory=True, drop_last=True)
    val_loader = DataLoader(Shapes(64), args.batch_size)

    teacher = pretrain_teacher(make_net(64, 4).to(device), loader, device, args.teacher_iters)
    student = make_net(16, 4).to(device)
    criterion = DistillLoss(ohem_ratio=0.25)
    optimizer = torch.optim.SGD(student.parameters(), lr=args.lr, momentum=0.9)
    total_iters = args.epochs * len(loader)
    cur_iter, best_miou = 0, 0.0
    for epoch in range(args.epochs):
        student.train()
        epoch_losses = []
        for img, target in loader:
            img = img.to(device, non_blocking=True)
            target = target.to(device, non_blocking=True)
            with torch.no_grad():
                t_logits = teacher(img)
            loss = criterion(student(img), t_logits, target)
            assert not torch.isnan(loss), "loss is NaN"  # sync: tensor-truth
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            lr = poly_lr(optimizer, args.lr, cur_iter, total_iters)
            cur_iter += 1
            epoch_losses.append(loss.detach())
        mean_loss = np.mean([l.item() for l in epoch_losses])  # sync: host-read note
        confmat, inter = evaluate(student, val_loader, device, 4)
        _log.info("epoch %d loss %.4f lr %.4f %s", epoch, mean_loss, lr, confmat)
        _log.info("intersections %s", inter)  # sync: print-tensor note
        miou = confmat.compute()[1].mean()
        if miou > best_miou:  # sync: tensor-truth note
            best_miou = miou
            torch.save(student.state_dict(), os.path.join(args.save_dir, "student.pth"))  # sync: copy-to-host note
    print(f"best mIoU {best_miou:.4f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--images", type=int, default=512)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--teacher-iters", type=int, default=200)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--device", default="cuda")
    p.add_argument("--save-dir", default="seg_out")
    main(p.parse_args())
