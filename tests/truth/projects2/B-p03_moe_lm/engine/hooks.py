import logging
import math
import os
import time

import torch

logger = logging.getLogger("moe")


class HookBase:
    trainer = None

    def before_train(self): pass

    def after_train(self): pass

    def before_step(self): pass

    def after_step(self): pass


class LRHook(HookBase):
    def __init__(self, base_lr, warmup, max_iter):
        self.base_lr, self.warmup, self.max_iter = base_lr, warmup, max_iter

    def before_step(self):
        it = self.trainer.iter
        if it < self.warmup:
            f = (it + 1) / self.warmup
        else:
            f = 0.5 * (1 + math.cos(math.pi * (it - self.warmup) / max(1, self.max_iter - self.warmup)))
        for g in self.trainer.optimizer.param_groups:
            g["lr"] = self.base_lr * f * g.get("lr_scale", 1.0)


class IterationTimer(HookBase):
    def before_train(self):
        self._start = time.perf_counter()
        self._total = 0

    def before_step(self):
        self._step = time.perf_counter()

    def after_step(self):
        self._total += time.perf_counter() - self._step
        self.trainer.storage["time"].append(time.perf_counter() - self._step)

    def after_train(self):
        n = self.trainer.iter + 1
        logger.info("Overall training speed: %d iterations in %.1f s (%.4f s / it)", n, self._total, self._total / n)


class MetricPrinter(HookBase):
    def __init__(self, period):
        self.period = period

    def after_step(self):
        if (self.trainer.iter + 1) % self.period == 0:
            s = self.trainer.storage
            text = "  ".join("%s: %.4g" % (k, sum(v[-20:]) / len(v[-20:])) for k, v in s.items() if v)
            logger.info(" iter: %d  %s  max_mem: %.0fM", self.trainer.iter + 1, text,
                        torch.cuda.max_memory_allocated() / 1024.0 / 1024.0)


class EvalHook(HookBase):
    def __init__(self, period, fn):
        self.period, self.fn = period, fn

    def after_step(self):
        nxt = self.trainer.iter + 1
        if nxt % self.period == 0 or nxt == self.trainer.max_iter:
            res = self.fn()
            logger.info("eval @%d: %s", nxt, res)
            self.trainer.storage["val_ppl"].append(res["ppl"])
            # Evaluation may take different time among workers
            torch.cuda.synchronize()


class CheckpointHook(HookBase):
    def __init__(self, out_dir, period):
        self.out_dir, self.period = out_dir, period

    def after_step(self):
        nxt = self.trainer.iter + 1
        if nxt % self.period == 0:
            torch.save({"model": self.trainer.model.state_dict(), "optimizer": self.trainer.optimizer.state_dict(),
                        "iteration": nxt}, os.path.join(self.out_dir, "model_%07d.pth" % nxt))
