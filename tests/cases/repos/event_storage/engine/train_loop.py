import concurrent.futures
import logging
import time
import weakref
from typing import List, Mapping, Optional

import numpy as np
import torch
from torch.nn.parallel import DataParallel, DistributedDataParallel

from engine.events import EventStorage, get_event_storage
from engine.comm import gather, is_main_process


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
    def __init__(self) -> None:
        self._hooks: List[HookBase] = []
        self.iter: int = 0
        self.start_iter: int = 0
        self.max_iter: int
        self.storage: EventStorage

    def register_hooks(self, hooks: List[Optional[HookBase]]) -> None:
        hooks = [h for h in hooks if h is not None]
        for h in hooks:
            assert isinstance(h, HookBase)
            h.trainer = weakref.proxy(self)
        self._hooks.extend(hooks)

    def train(self, start_iter: int, max_iter: int):
        self.iter = self.start_iter = start_iter
        self.max_iter = max_iter
        with EventStorage(start_iter) as self.storage:
            try:
                self.before_train()
                for self.iter in range(start_iter, max_iter):
                    self.before_step()
                    self.run_step()
                    self.after_step()
                self.iter += 1
            finally:
                self.after_train()

    def before_train(self):
        for h in self._hooks:
            h.before_train()

    def after_train(self):
        self.storage._iter = self.iter
        for h in self._hooks:
            h.after_train()

    def before_step(self):
        self.storage._iter = self.iter
        for h in self._hooks:
            h.before_step()

    def after_step(self):
        for h in self._hooks:
            h.after_step()

    def run_step(self):
        raise NotImplementedError


class SimpleTrainer(TrainerBase):
    def __init__(self, model, data_loader, optimizer, gather_metric_period=1):
        super().__init__()
        model.train()
        self.model = model
        self.data_loader = data_loader
        self._data_loader_iter_obj = None
        self.optimizer = optimizer
        self.gather_metric_period = gather_metric_period

    @property
    def _data_loader_iter(self):
        if self._data_loader_iter_obj is None:
            self._data_loader_iter_obj = iter(self.data_loader)
        return self._data_loader_iter_obj

    def run_step(self):
        assert self.model.training, "[SimpleTrainer] model was changed to eval mode!"
        start = time.perf_counter()
        data = next(self._data_loader_iter)
        data_time = time.perf_counter() - start
        self.optimizer.zero_grad()
        loss_dict = self.model(data)
        if isinstance(loss_dict, torch.Tensor):
            losses = loss_dict
            loss_dict = {"total_loss": loss_dict}
        else:
            losses = sum(loss_dict.values())
        losses.backward()
        if (self.iter + 1) % self.gather_metric_period == 0:
            self._write_metrics(loss_dict, data_time)
        self.optimizer.step()

    def _write_metrics(self, loss_dict: Mapping[str, torch.Tensor], data_time: float, prefix: str = "") -> None:
        SimpleTrainer.write_metrics(loss_dict, data_time, self.iter, prefix)

    @staticmethod
    def write_metrics(loss_dict: Mapping[str, torch.Tensor], data_time: float, cur_iter: int, prefix: str = "") -> None:
        metrics_dict = {k: v.detach().cpu().item() for k, v in loss_dict.items()}  # sync: copy-to-host
        metrics_dict["data_time"] = data_time
        all_metrics_dict = gather(metrics_dict)
        if is_main_process():
            storage = get_event_storage()
            data_time = np.max([x.pop("data_time") for x in all_metrics_dict])
            storage.put_scalar("data_time", data_time)
            metrics_dict = {k: np.mean([x[k] for x in all_metrics_dict]) for k in all_metrics_dict[0].keys()}
            total_losses_reduced = sum(metrics_dict.values())
            if not np.isfinite(total_losses_reduced):
                raise FloatingPointError(f"Loss became infinite or NaN at iteration={cur_iter}!")
            storage.put_scalar("{}total_loss".format(prefix), total_losses_reduced)
            if len(metrics_dict) > 1:
                storage.put_scalars(**metrics_dict)


class AMPTrainer(SimpleTrainer):
    def __init__(self, model, data_loader, optimizer, grad_scaler=None, precision: torch.dtype = torch.float16, log_grad_scaler: bool = False):
        super().__init__(model, data_loader, optimizer)
        if grad_scaler is None:
            from torch.cuda.amp import GradScaler
            grad_scaler = GradScaler()
        self.grad_scaler = grad_scaler
        self.precision = precision
        self.log_grad_scaler = log_grad_scaler

    def run_step(self):
        assert torch.cuda.is_available(), "[AMPTrainer] CUDA is required for AMP training!"
        start = time.perf_counter()
        data = next(self._data_loader_iter)
        data_time = time.perf_counter() - start
        self.optimizer.zero_grad()
        with torch.cuda.amp.autocast(dtype=self.precision):
            loss_dict = self.model(data)
            losses = sum(loss_dict.values())
        self.grad_scaler.scale(losses).backward()
        if self.log_grad_scaler:
            get_event_storage().put_scalar("[metric]grad_scaler", self.grad_scaler.get_scale())  # sync: grad-scaler note
        self._write_metrics(loss_dict, data_time)
        self.grad_scaler.step(self.optimizer)  # sync: grad-scaler note
        self.grad_scaler.update()
