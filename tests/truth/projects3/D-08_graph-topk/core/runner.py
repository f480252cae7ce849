import time

import torch

from .registry import HOOKS


class Hook:
    priority = 50

    def before_run(self, r): ...
    def before_epoch(self, r): ...
    def after_iter(self, r): ...
    def after_epoch(self, r): ...
    def after_run(self, r): ...


class Runner:
    """Epoch based runner. All side jobs (lr, logs, eval, checkpoints) are hooks."""

    def __init__(self, model, optimizer, loaders, max_epochs, device, hooks=()):
        self.model, self.optimizer, self.loaders = model, optimizer, loaders
        self.max_epochs, self.device = max_epochs, device
        self.epoch = self.iter = 0
        self.outputs, self.metrics, self.stop = {}, {}, False
        self.hooks = sorted((HOOKS.build(h) for h in hooks), key=lambda h: h.priority)

    @property
    def max_iters(self):
        return self.max_epochs * len(self.loaders["train"])

    def call(self, name):
        for h in self.hooks:
            getattr(h, name)(self)

    def run(self):
        self.call("before_run")
        while self.epoch < self.max_epochs and not self.stop:
            self.model.train()
            self.call("before_epoch")
            for batch in self.loaders["train"]:
                batch = batch.to(self.device)
                self.outputs = self.model.losses(batch)
                self.optimizer.zero_grad(set_to_none=True)
                self.outputs["loss"].backward()
                self.optimizer.step()
                self.iter += 1
                self.call("after_iter")
            self.call("after_epoch")
            self.epoch += 1
        self.call("after_run")
        return self.metrics


@HOOKS.register
class PolyLR(Hook):
    priority = 10

    def __init__(self, power=0.9, warmup=10):
        self.power, self.warmup = power, warmup

    def before_run(self, r):
        self.base = [g["lr"] for g in r.optimizer.param_groups]
        self._set(r)

    def after_iter(self, r):
        self._set(r)

    def _set(self, r):
        f = (1 - r.iter / (r.max_iters + 1)) ** self.power * min(1.0, (r.iter + 1) / self.warmup)
        for g, b in zip(r.optimizer.param_groups, self.base):
            g["lr"] = b * f


@HOOKS.register
class TextLogger(Hook):
    priority = 90

    def before_epoch(self, r):
        self.t0, self.sums, self.n = time.time(), {}, 0

    def after_iter(self, r):
        self.n += 1
        for k, v in r.outputs.items():
            self.sums[k] = self.sums.get(k, 0) + v.detach()

    def after_epoch(self, r):
        train = " ".join(f"{k}:{(v / self.n).item():.4f}" for k, v in self.sums.items())
        val = " ".join(f"{k}:{v:.4f}" for k, v in r.metrics.items() if isinstance(v, float))
        print(f"Epoch [{r.epoch + 1}/{r.max_epochs}] {train} | {val} ({time.time() - self.t0:.1f}s)")


@HOOKS.register
class Evaluate(Hook):
    def __init__(self, split="val", names=()):
        self.split, self.names = split, names

    @torch.no_grad()
    def after_epoch(self, r):
        r.model.eval()
        c = r.model.n_classes
        conf = torch.zeros(c, c, device=r.device)
        hit, kept = 0.0, 0
        for batch in r.loaders[self.split]:
            batch = batch.to(r.device)
            logits, info = r.model(batch)
            idx = batch.y * c + logits.argmax(dim=1)
            conf += torch.bincount(idx, minlength=c * c).view(c, c)
            # share of first-pool survivors that belong to the motif
            hit += batch.is_motif[info["perm"]].float().sum().item()
            kept += len(info["perm"])
        tp = conf.diag()
        f1 = 2 * tp / (conf.sum(0) + conf.sum(1)).clamp(min=1)
        r.metrics["acc"] = (tp.sum() / conf.sum()).item()
        r.metrics["macro_f1"] = f1.mean().item()
        r.metrics["motif_prec"] = hit / max(kept, 1)
        r.metrics["confusion"] = conf.long().tolist()

    def after_run(self, r):
        for name, row in zip(self.names, r.metrics["confusion"]):
            print(f"  {name:>8} " + " ".join(f"{v:4d}" for v in row))


@HOOKS.register
class BestCheckpoint(Hook):
    priority = 60

    def __init__(self, key="acc", path="best.pt", patience=5):
        self.key, self.path, self.patience = key, path, patience
        self.best, self.bad = -1.0, 0

    def after_epoch(self, r):
        if r.metrics[self.key] > self.best:
            self.best, self.bad = r.metrics[self.key], 0
            torch.save({"state": r.model.state_dict(), "epoch": r.epoch, self.key: self.best}, self.path)
        else:
            self.bad += 1
            r.stop = self.bad >= self.patience
