import builtins
import logging
import math
import os
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Callable, Dict, List

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
import wandb
from torch.utils.data import DataLoader
from tqdm import trange, tqdm

from build import create_model, create_optimizer, timed
from moco import MoCo

logger = logging.getLogger("moco")


@dataclass
class Batch:
    q: torch.Tensor
    k: torch.Tensor
    index: torch.Tensor

    def to(self, device):
        for f in fields(self):
            setattr(self, f.name, getattr(self, f.name).to(device, non_blocking=True))
        return self

    @property
    def size(self):
        return self.q.shape[0]


def collate(rows):
    q, k, i = zip(*rows)
    return Batch(torch.stack(q), torch.stack(k), torch.tensor(i))


@contextmanager
def eval_mode(model):
    was = model.training
    model.eval()
    with torch.no_grad():
        yield model
    model.train(was)


class Meter:
    def __init__(self, name, fmt=":f"):
        self.name, self.fmt = name, fmt
        self.val = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count

    def __str__(self):
        return ("{name} {val" + self.fmt + "} ({avg" + self.fmt + "})").format(name=self.name, val=self.val, avg=self.avg)


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)
        _, pred = output.topk(maxk, 1, True, True)
        correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
        return [correct[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100.0 / target.size(0)) for k in topk]


class Trainer:
    def __init__(self, cfg, callbacks: List[Callable]):
        self.cfg = cfg
        self.callbacks = callbacks
        self.times: Dict[str, float] = {}
        self.state: Dict[str, torch.Tensor] = {}

    def build(self, rank):
        torch.cuda.set_device(rank)
        self.model = MoCo(lambda dim: create_model(self.cfg["arch"], dim=dim)).cuda(rank)
        self.ddp = nn.parallel.DistributedDataParallel(self.model, device_ids=[rank])
        self.criterion = nn.CrossEntropyLoss().cuda(rank)
        self.opt = create_optimizer(self.cfg["opt"], self.ddp.parameters(), lr=self.cfg["lr"])
        self.rank = rank

    @timed
    def step(self, batch):
        batch = batch.to(f"cuda:{self.rank}")
        output, target = self.ddp(batch.q, batch.k)
        loss = self.criterion(output, target)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        acc1, acc5 = accuracy(output, target, topk=(1, 5))
        return {"loss": loss.detach(), "acc1": acc1, "acc5": acc5}

    def fit(self, loader, epochs):
        meters = {n: Meter(n, ":.3f") for n in ("loss", "acc1", "acc5")}
        for epoch in trange(epochs):
            bar = tqdm(loader, leave=False)
            for i, batch in enumerate(bar):
                out = self.step(batch)
                for name, meter in meters.items():
                    meter.update(out[name].item(), batch.size)  # sync: host-read
                bar.set_postfix(loss=out["loss"].item(), acc=f"{out['acc1'].item():.1f}")  # sync: host-read, host-read
                if i % 50 == 0:
                    logger.info("epoch %d %s", epoch, "\t".join(str(m) for m in meters.values()))
                    logger.info("raw loss %s", out["loss"])  # sync: print-tensor note
                    wandb.log({**out, "epoch": epoch})  # sync: copy-to-host note
                self.state = out
                for cb in self.callbacks:
                    cb(self, i)
            if self.rank == 0:
                torch.save({"model": self.model.state_dict(), "opt": self.opt.state_dict()}, f"ckpt_{epoch}.pt")  # sync: copy-to-host note


def nan_guard(trainer, i):
    if not math.isfinite(trainer.state["loss"]):  # sync: host-read
        raise FloatingPointError(i)


class QueueStats:
    def __init__(self, every):
        self.every = every
        self.rows = []

    def __call__(self, trainer, i):
        if i % self.every:
            return
        q = trainer.model.queue
        self.rows.append(q.norm(dim=0).std().cpu().numpy())  # sync: copy-to-host note
        ptr = trainer.model.queue_ptr
        for j in range(ptr):  # sync: host-read note
            pass
        head = q[:, : ptr[0]]  # sync: host-read note
        if ptr in (0, 1):  # sync: tensor-truth note
            print("wrapped", head.shape)
        np.savetxt("rows.txt", np.array(self.rows))


def worker(rank, cfg):
    dist.init_process_group("nccl", rank=rank, world_size=cfg["gpus"], init_method="tcp://127.0.0.1:1234")
    trainer = Trainer(cfg, [nan_guard, QueueStats(100)])
    trainer.build(rank)
    loader = DataLoader(cfg["dataset"], batch_size=256, collate_fn=collate, num_workers=8, pin_memory=True, drop_last=True)
    trainer.fit(loader, cfg["epochs"])


if __name__ == "__main__":
    cfg = {"arch": "resnet50", "opt": "sgd", "lr": 0.03, "gpus": 4, "epochs": 200, "dataset": None}
    mp.spawn(worker, nprocs=cfg["gpus"], args=(cfg,))
