import logging
import time
import weakref
from typing import List, Optional

import numpy as np
import torch

from .events import EventStorage, get_event_storage


class HookBase:
    trainer: "TrainerBase" = None

    def before_train(self):
        pass

    def after_train(self):
        pass

    def before_step(self):
        pass

    def after_step(self):
        pass


class TrainerBase:
    def __init__(self):
        self._hooks: List[HookBase] = []
        self.iter = self.start_iter = self.max_iter = 0
        self.storage: EventStorage = None

    def register_hooks(self, hooks: List[Optional[HookBase]]):
        hooks = [h for h in hooks if h is not None]
        for h in hooks:
            h.trainer = weakref.proxy(self)
        self._hooks.extend(hooks)

    def train(self, start_iter: int, max_iter: int):
        logger = logging.getLogger(__name__)
        logger.info("Starting training from iteration {}".format(start_iter))
        self.iter = self.start_iter = start_iter
        self.max_iter = max_iter
        with EventStorage(start_iter) as self.storage:
            try:
                for h in self._hooks:
                    h.before_train()
                for self.iter in range(start_iter, max_iter):
                    self.storage.iter = self.iter
                    for h in self._hooks:
                        h.before_step()
                    self.run_step()
                    for h in self._hooks:
                        h.after_step()
                self.iter += 1
            except Exception:
                logger.exception("Exception during training:")
                raise
            finally:
                for h in self._hooks:
                    h.after_train()

    def run_step(self):
        raise NotImplementedError


class SimpleTrainer(TrainerBase):
    def __init__(self, model, data_loader, optimizer):
        super().__init__()
        model.train()
        self.model = model
        self.data_loader = data_loader
        self._data_loader_iter = iter(data_loader)
        self.optimizer = optimizer

    def run_step(self):
        assert self.model.training, "[SimpleTrainer] model was changed to eval mode!"
        start = time.perf_counter()
        data = next(self._data_loader_iter)
        data_time = time.perf_counter() - start
        loss_dict = self.model(data)
        losses = sum(loss_dict.values())
        self.optimizer.zero_grad()
        losses.backward()
        self._write_metrics(loss_dict, data_time)
        self.optimizer.step()

    def _write_metrics(self, loss_dict, data_time, prefix=""):
        metrics_dict = {k: v.detach().cpu().item() for k, v in loss_dict.items()}
        storage = get_event_storage()
        storage.put_scalar("data_time", data_time)
        total_losses_reduced = sum(metrics_dict.values())
        if not np.isfinite(total_losses_reduced):
            raise FloatingPointError(
                f"Loss became infinite or NaN at iteration={self.iter}!\nloss_dict = {metrics_dict}")
        storage.put_scalar("{}total_loss".format(prefix), total_losses_reduced)
        if len(metrics_dict) > 1:
            storage.put_scalars(**metrics_dict)


class AMPTrainer(SimpleTrainer):
    def __init__(self, model, data_loader, optimizer, grad_scaler=None):
        super().__init__(model, data_loader, optimizer)
        self.grad_scaler = grad_scaler or torch.amp.GradScaler("cuda")

    def run_step(self):
        start = time.perf_counter()
        data = next(self._data_loader_iter)
        data_time = time.perf_counter() - start
        with torch.autocast("cuda", dtype=torch.float16):
            loss_dict = self.model(data)
            losses = sum(loss_dict.values())
        self.optimizer.zero_grad()
        self.grad_scaler.scale(losses).backward()
        self._write_metrics(loss_dict, data_time)
        self.grad_scaler.step(self.optimizer)
        self.grad_scaler.update()
