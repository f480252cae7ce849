import logging
import os

import torch

from engine.events import get_event_storage
from engine.train_loop import HookBase


class PeriodicWriter(HookBase):
    def __init__(self, writers, period=20):
        self._writers = writers
        self._period = period

    def after_step(self):
        if (self.trainer.iter + 1) % self._period == 0 or (self.trainer.iter == self.trainer.max_iter - 1):
            for writer in self._writers:
                writer.write()


class PeriodicCheckpointer(HookBase):
    def __init__(self, model, optimizer, folder, period):
        self.model, self.optimizer, self.folder, self.period = model, optimizer, folder, period

    def after_step(self):
        if (self.trainer.iter + 1) % self.period == 0:
            data = {"model": self.model.state_dict(), "iteration": self.trainer.iter}
            data["optimizer"] = self.optimizer.state_dict()
            with open(os.path.join(self.folder, f"model_{self.trainer.iter:07d}.pth"), "wb") as f:
                torch.save(data, f)  # sync: copy-to-host note


class LRScheduler(HookBase):
    def __init__(self, optimizer, scheduler):
        self.optimizer, self.scheduler = optimizer, scheduler

    def after_step(self):
        lr = self.optimizer.param_groups[0]["lr"]
        get_event_storage().put_scalar("lr", lr, smoothing_hint=False)
        self.scheduler.step()


class EvalHook(HookBase):
    def __init__(self, eval_period, eval_function):
        self._period = eval_period
        self._func = eval_function

    def after_step(self):
        if self._period > 0 and (self.trainer.iter + 1) % self._period == 0:
            results = self._func()
            for k, v in results.items():
                get_event_storage().put_scalar(k, v)
