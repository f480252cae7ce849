"""Gradual magnitude pruning (Zhu & Gupta 2017) with persistent masks."""
import torch
import torch.nn as nn


class SparsitySchedule:
    def __init__(self, cfg, steps_per_epoch):
        self.kind = cfg.schedule
        self.final = cfg.final_sparsity
        self.t0 = cfg.start_epoch * steps_per_epoch
        self.t1 = cfg.end_epoch * steps_per_epoch

    def __call__(self, step):
        if step < self.t0:
            return 0.0
        if self.kind == "oneshot":
            return self.final
        p = min(1.0, (step - self.t0) / max(1, self.t1 - self.t0))
        if self.kind == "linear":
            return self.final * p
        return self.final * (1 - (1 - p) ** 3)


class Pruner:
    def __init__(self, model, cfg, steps_per_epoch, skip=("conv0", "fc")):
        self.cfg = cfg
        self.schedule = SparsitySchedule(cfg, steps_per_epoch)
        self.weights = {n: m.weight for n, m in model.named_modules()
                        if isinstance(m, (nn.Conv2d, nn.Linear)) and n not in skip}
        self.masks = {n: torch.ones_like(w, dtype=torch.bool) for n, w in self.weights.items()}
        self._hooks = [w.register_hook(self._mask_grad(n)) for n, w in self.weights.items()]

    def _mask_grad(self, name):
        return lambda g: g * self.masks[name]

    @torch.no_grad()
    def _update(self, sparsity):
        if self.cfg.scope == "global":
            scores = torch.cat([w.abs().flatten() for w in self.weights.values()])
            k = int(sparsity * scores.numel())
            if k == 0:
                return
            thr = scores.kthvalue(k).values
            for n, w in self.weights.items():
                self.masks[n] = w.abs() > thr
        else:
            for n, w in self.weights.items():
                k = int(sparsity * w.numel())
                if k > 0:
                    self.masks[n] = w.abs() > w.abs().flatten().kthvalue(k).values

    @torch.no_grad()
    def apply(self):
        for n, w in self.weights.items():
            w.mul_(self.masks[n])

    def step(self, step):
        """Call after optimizer.step()."""
        if step % self.cfg.every == 0 and self.schedule.t0 <= step <= self.schedule.t1:
            self._update(self.schedule(step))
        self.apply()

    def sparsity(self):
        zeros = sum((~m).sum().item() for m in self.masks.values())
        return zeros / sum(m.numel() for m in self.masks.values())

    def report(self):
        return {n: 1 - m.float().mean().item() for n, m in self.masks.items()}

    def detach(self):
        for h in self._hooks:
            h.remove()
