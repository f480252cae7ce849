import logging
import os
import time

import torch

from .train_loop import HookBase


class IterationTimer(HookBase):
    def __init__(self, warmup_iter=3):
        self._warmup_iter = warmup_iter
        self._total = 0.0

    def before_train(self):
        self._start_time = time.perf_counter()

    def before_step(self):
        self._step_start = time.perf_counter()

    def after_step(self):
        sec = time.perf_counter() - self._step_start
        if self.trainer.iter - self.trainer.start_iter >= self._warmup_iter:
            self.trainer.storage.put_scalars(time=sec)
            self._total += sec

    def after_train(self):
        logging.getLogger(__name__).info("Total training time: %.1fs", time.perf_counter() - self._start_time)


class LRScheduler(HookBase):
    def __init__(self, optimizer, scheduler):
        self._optimizer, self._scheduler = optimizer, scheduler

    def after_step(self):
        self.trainer.storage.put_scalar("lr", self._optimizer.param_groups[0]["lr"], smoothing_hint=False)
        self._scheduler.step()


class PeriodicWriter(HookBase):
    def __init__(self, writers, period=20):
        self._writers, self._period = writers, period

    def after_step(self):
        if (self.trainer.iter + 1) % self._period == 0 or self.trainer.iter == self.trainer.max_iter - 1:
            for writer in self._writers:
                writer.write()

    def after_train(self):
        for writer in self._writers:
            writer.close()


class EvalHook(HookBase):
    def __init__(self, eval_period, eval_function):
        self._period, self._func = eval_period, eval_function

    def after_step(self):
        next_iter = self.trainer.iter + 1
        if next_iter % self._period == 0:
            results = self._func()
            with self.trainer.storage.name_scope("eval"):
                self.trainer.storage.put_scalars(**results, smoothing_hint=False)
            logging.getLogger(__name__).info("eval @%d: %s", next_iter, {k: round(v, 4) for k, v in results.items()})


class BestCheckpointer(HookBase):
    def __init__(self, model, optimizer, output_dir, period, metric="eval/AP50"):
        self.model, self.optimizer, self.dir, self.period, self.metric = model, optimizer, output_dir, period, metric
        self.best = None
        os.makedirs(output_dir, exist_ok=True)

    def _save(self, name):
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(),
                    "iteration": self.trainer.iter}, os.path.join(self.dir, name + ".pth"))

    def after_step(self):
        if (self.trainer.iter + 1) % self.period:
            return
        self._save("model_{:07d}".format(self.trainer.iter))
        latest = self.trainer.storage.history(self.metric).latest()
        if self.best is None or latest > self.best:
            self.best = latest
            self._save("model_best")
