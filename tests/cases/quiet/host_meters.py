"""Meters, timers and a CSV logger for Python numbers, and a training loop that feeds them once at the end."""
import collections
import csv
import math
import time

import torch
from torch import nn


class AverageMeter:
    def __init__(self, name, fmt=":.4f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val = self.sum = self.count = 0.0

    @property
    def avg(self) -> float:
        return self.sum / max(self.count, 1)

    def update(self, val: float, n: int = 1):
        self.val = val
        self.sum += val * n
        self.count += n

    def __str__(self):
        return ("{name} {val" + self.fmt + "} ({avg" + self.fmt + "})").format(name=self.name, val=self.val, avg=self.avg)


class SmoothedValue:
    def __init__(self, window=20):
        self.deque = collections.deque(maxlen=window)
        self.total, self.count = 0.0, 0

    def update(self, value: float):
        self.deque.append(value)
        self.count += 1
        self.total += value

    @property
    def median(self) -> float:
        return torch.tensor(list(self.deque)).median().item()

    @property
    def max(self) -> float:
        return max(self.deque)


class CsvLogger:
    def __init__(self, path, columns):
        self.file = open(path, "w", newline="")
        self.writer = csv.DictWriter(self.file, columns)
        self.writer.writeheader()

    def log(self, row: dict):
        self.writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items()})
        self.file.flush()


def eta(start, done, total):
    seconds = (time.time() - start) / max(done, 1) * (total - done)
    return f"{int(seconds // 3600):02d}:{int(seconds % 3600 // 60):02d}"


def train(model, loader, optimizer, device, epochs):
    data_time, step_time = AverageMeter("data"), SmoothedValue()
    logger = CsvLogger("log.csv", ["epoch", "time", "data", "lr"])
    start = time.time()
    for epoch in range(epochs):
        end = time.time()
        for i, (x, y) in enumerate(loader):
            data_time.update(time.time() - end)
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            step_time.update(time.time() - end)
            end = time.time()
            if i % 50 == 0:
                print(epoch, i, data_time, f"{step_time.median:.3f}s", eta(start, i, len(loader)))
        lr = optimizer.param_groups[0]["lr"]
        logger.log({"epoch": epoch, "time": step_time.max, "data": data_time.avg, "lr": lr})
        if not math.isfinite(step_time.total):
            raise RuntimeError


def main():
    device = torch.device("cuda")
    model = nn.Linear(32, 10).to(device)
    data = torch.utils.data.TensorDataset(torch.randn(1024, 32), torch.randint(0, 10, (1024,)))
    loader = torch.utils.data.DataLoader(data, batch_size=64, pin_memory=True)
    train(model, loader, torch.optim.AdamW(model.parameters(), fused=True), device, 3)


main()
