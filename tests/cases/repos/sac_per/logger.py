import csv
from collections import defaultdict

import torch
from torch.utils.tensorboard import SummaryWriter


class AverageMeter(object):
    def __init__(self):
        self._sum = 0
        self._count = 0

    def update(self, value, n=1):
        self._sum += value
        self._count += n

    def value(self):
        return self._sum / max(1, self._count)


class MetersGroup(object):
    def __init__(self, file_name):
        self._file_name = file_name
        self._meters = defaultdict(AverageMeter)

    def log(self, key, value, n=1):
        self._meters[key].update(value, n)

    def dump(self, step, prefix):
        if len(self._meters) == 0:
            return
        data = {key: meter.value() for key, meter in self._meters.items()}
        print(f"| {prefix} | " + " | ".join(f"{k}: {v:.4f}" for k, v in data.items()))
        self._meters.clear()


class Logger(object):
    def __init__(self, log_dir, log_frequency=10000):
        self._sw = SummaryWriter(log_dir)
        self._log_frequency = log_frequency
        self._train_mg = MetersGroup(log_dir + "/train")
        self._eval_mg = MetersGroup(log_dir + "/eval")

    def _should_log(self, step):
        return step % self._log_frequency == 0

    def log(self, key, value, step, n=1):
        if not self._should_log(step):
            return
        if type(value) == torch.Tensor:
            value = value.item()  # sync: host-read note
        self._sw.add_scalar(key, value / n, step)
        mg = self._train_mg if key.startswith("train") else self._eval_mg
        mg.log(key, value, n)

    def log_histogram(self, key, histogram, step):
        if not self._should_log(step):
            return
        self._sw.add_histogram(key, histogram, step)  # sync: copy-to-host note

    def dump(self, step):
        self._train_mg.dump(step, "train")
        self._eval_mg.dump(step, "eval")
