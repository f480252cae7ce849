#!/usr/bin/env python
"""torchrun --nproc_per_node=N ddp_mlp.py    (also runs alone, with a world of one)"""
import argparse
import os
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def setup():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    os.environ.setdefault("RANK", "0")
    os.environ.setdefault("WORLD_SIZE", "1")
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    return local_rank


def is_main_process():
    return dist.get_rank() == 0


def reduce_mean(tensor):
    rt = tensor.detach().clone()
    dist.all_reduce(rt, op=dist.ReduceOp.SUM)
    rt /= dist.get_world_size()
    return rt


class SmoothedValue:
    """Track a series of values and their global mean over all ranks."""

    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.count += n
        self.total += value * n

    def synchronize_between_processes(self):
        t = torch.tensor([self.count, self.total], dtype=torch.float64, device="cuda")  # sync: tensor-from-host note
        dist.barrier()  # sync: library-wait note
        dist.all_reduce(t)
        t = t.tolist()  # sync: host-read note
        self.count = int(t[0])
        self.total = t[1]

    @property
    def global_avg(self):
        return self.total / max(self.count, 1)


class Mlp(nn.Module):
    def __init__(self, d, hidden, classes):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, classes),
        )

    def forward(self, x):
        return self.net(x)


def train_one_epoch(ddp_model, loader, optimizer, epoch, args, gpu):
    meter = SmoothedValue()
    ddp_model.train()
    for step, (x, y) in enumerate(loader):
        x = x.cuda(gpu, non_blocking=True)
        y = y.cuda(gpu, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()

        loss_reduced = reduce_mean(loss)
        meter.update(loss_reduced.item(), x.shape[0])  # sync: host-read
        if is_main_process() and step % args.print_freq == 0:
            mem = torch.cuda.max_memory_allocated() / 2 ** 20
            print(f"[{epoch}][{step}/{len(loader)}] loss {loss_reduced.item():.4f} mem {mem:.0f}M")  # sync: host-read note
    meter.synchronize_between_processes()
    return meter.global_avg


@torch.no_grad()
def evaluate(ddp_model, loader, gpu):
    ddp_model.eval()
    correct = torch.zeros(1, device=gpu)
    total = torch.zeros(1, device=gpu)
    for x, y in loader:
        x, y = x.cuda(gpu), y.cuda(gpu)  # sync: copy-to-device x2
        pred = ddp_model(x).argmax(1)
        correct += (pred == y).sum()
        total += y.numel()
    dist.all_reduce(correct)
    dist.all_reduce(total)
    return (correct / total).item()  # sync: host-read note


def save_on_master(state, path):
    if is_main_process():
        torch.save(state, path)  # sync: copy-to-host note


def make_data(n, d, classes, seed=0):
    g = torch.Generator().manual_seed(seed)
    centers = torch.randn(classes, d, generator=g) * 2
    y = torch.randint(0, classes, (n,), generator=g)
    return TensorDataset(centers[y] + torch.randn(n, d, generator=g), y)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--n", type=int, default=20000)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--print-freq", type=int, default=50)
    p.add_argument("--ckpt", default="ddp.pt")
    args = p.parse_args()

    gpu = setup()
    torch.manual_seed(0)
    model = Mlp(64, 256, 10).cuda(gpu)
    model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    ddp_model = DDP(model, device_ids=[gpu])
    optimizer = torch.optim.SGD(ddp_model.parameters(), lr=0.05, momentum=0.9)

    data = make_data(args.n, 64, 10)
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=args.batch, sampler=sampler, num_workers=2, pin_memory=True, persistent_workers=True)
    val_loader = DataLoader(make_data(args.n // 10, 64, 10, seed=1), batch_size=args.batch)

    dist.barrier()
    start = time.time()
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        loss = train_one_epoch(ddp_model, loader, optimizer, epoch, args, gpu)
        acc = evaluate(ddp_model, val_loader, gpu)
        if is_main_process():
            print(f"epoch {epoch}: loss {loss:.4f} acc {acc:.4f}")
        save_on_master({"model": ddp_model.module.state_dict(), "epoch": epoch}, args.ckpt)
    torch.cuda.synchronize()
    if is_main_process():
        print(f"training took {time.time() - start:.1f}s")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
