import copy
import csv
from collections import defaultdict
from pathlib import Path

from torch import nn

from .trainer import StopTraining


class Callback:
    def on_fit_start(self, tr): ...
    def on_epoch_start(self, tr): ...
    def on_after_step(self, tr): ...
    def on_validated(self, tr): ...
    def on_epoch_end(self, tr): ...
    def on_fit_end(self, tr): ...


class EarlyStopping(Callback):
    def __init__(self, monitor="val/loss", patience=3, min_delta=1e-3, mode="min"):
        self.monitor, self.patience, self.min_delta = monitor, patience, min_delta
        self.sign = 1 if mode == "min" else -1

    def on_fit_start(self, tr):
        self.best, self.wait = float("inf"), 0

    def on_epoch_end(self, tr):
        cur = self.sign * tr.logs[self.monitor]
        if cur < self.best - self.min_delta:
            self.best, self.wait = cur, 0
            return
        self.wait += 1
        if self.wait >= self.patience:
            raise StopTraining(f"{self.monitor} did not improve for {self.patience} epochs (epoch {tr.epoch})")


class BestWeights(Callback):
    def __init__(self, monitor="val/acc", mode="max"):
        self.monitor, self.sign = monitor, (1 if mode == "max" else -1)

    def on_fit_start(self, tr):
        self.best, self.state = -float("inf"), None

    def on_validated(self, tr):
        cur = self.sign * tr.logs[self.monitor]
        if cur > self.best:
            self.best = cur
            self.state = copy.deepcopy(tr.model.state_dict())

    def on_fit_end(self, tr):
        if self.state is not None:
            tr.model.load_state_dict(self.state)


class GradientMonitor(Callback):
    """gradient norm per top level child (full backward hooks) and dead ReLU fraction (forward hooks)"""

    def __init__(self, every=5):
        self.every = every

    def on_fit_start(self, tr):
        self.stats, self.handles = defaultdict(list), []
        for name, child in tr.model.named_children():
            self.handles.append(child.register_full_backward_hook(self._bwd(name, tr)))
        for name, m in tr.model.named_modules():
            if isinstance(m, nn.ReLU):
                self.handles.append(m.register_forward_hook(self._fwd(name, tr)))

    def _due(self, tr, module):
        return module.training and tr.global_step % self.every == 0

    def _bwd(self, name, tr):
        def hook(module, grad_in, grad_out):
            if self._due(tr, module) and grad_out[0] is not None:
                self.stats["grad/" + name].append(grad_out[0].float().norm().item())
        return hook

    def _fwd(self, name, tr):
        def hook(module, inp, out):
            if self._due(tr, module):
                self.stats["dead/" + name].append((out <= 0).float().mean().item())
        return hook

    def on_fit_end(self, tr):
        for h in self.handles:
            h.remove()
        tr.logs["monitor"] = {k: sum(v) / len(v) for k, v in self.stats.items()}


class CSVLogger(Callback):
    def __init__(self, path, **static):
        self.path, self.static = Path(path), static

    def on_epoch_end(self, tr):
        row = {**self.static, "epoch": tr.epoch, **{k: v for k, v in tr.logs.items() if isinstance(v, float)}}
        new = not self.path.exists()
        with self.path.open("a", newline="") as f:
            w = csv.DictWriter(f, fieldnames=list(row))
            if new:
                w.writeheader()
            w.writerow(row)
