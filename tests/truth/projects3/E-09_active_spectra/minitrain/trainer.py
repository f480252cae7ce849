from typing import Any, Callable, Iterable, Optional

import torch
from torch import nn


class StopTraining(Exception):
    pass


class Trainer:
    """
    Generic loop. Everything optional lives in callbacks, which see the trainer itself:
        fit_start, epoch_start, after_step, validated, epoch_end, fit_end
    ``step_fn(model, batch) -> (loss, logs)`` defines the task.
    """

    def __init__(self, model: nn.Module, step_fn: Callable, optimizer: torch.optim.Optimizer, *, device: torch.device,
                 scheduler: Optional[Any] = None, callbacks: Iterable = (), grad_clip: Optional[float] = None,
                 accumulate: int = 1, amp_dtype: Optional[torch.dtype] = None):
        self.model = model.to(device)
        self.step_fn = step_fn
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.device = device
        self.grad_clip = grad_clip
        self.accumulate = accumulate
        self.amp_dtype = amp_dtype
        self.callbacks = list(callbacks)
        self.epoch = 0
        self.global_step = 0
        self.logs: dict = {}

    def emit(self, event: str, **kw) -> None:
        for cb in self.callbacks:
            getattr(cb, "on_" + event)(self, **kw)

    def _to_device(self, batch):
        if torch.is_tensor(batch):
            return batch.to(self.device, non_blocking=True)
        return type(batch)(self._to_device(b) for b in batch)

    def _forward(self, batch):
        enabled = self.amp_dtype is not None and self.device.type == "cuda"
        with torch.autocast(self.device.type, dtype=self.amp_dtype or torch.bfloat16, enabled=enabled):
            return self.step_fn(self.model, batch)

    def _optim_step(self):
        if self.grad_clip is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.grad_clip)
        self.optimizer.step()
        if self.scheduler is not None:
            self.scheduler.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.global_step += 1
        self.emit("after_step")

    def _epoch(self, loader, prefix, train):
        self.model.train(train)
        sums, n, last = {}, 0, len(loader) - 1
        for i, batch in enumerate(loader):
            batch = self._to_device(batch)
            with torch.set_grad_enabled(train):
                loss, logs = self._forward(batch)
            if train:
                (loss / self.accumulate).backward()
                if (i + 1) % self.accumulate == 0 or i == last:
                    self._optim_step()
            n += len(batch[0])
            for k, v in {"loss": loss.detach(), **logs}.items():
                sums[k] = sums.get(k, 0.0) + v * len(batch[0])
        return {prefix + k: float(v / n) for k, v in sums.items()}

    def evaluate(self, loader, prefix="val/"):
        return self._epoch(loader, prefix, train=False)

    def fit(self, train_loader, val_loader=None, epochs=1):
        self.emit("fit_start")
        try:
            for self.epoch in range(epochs):
                self.emit("epoch_start")
                self.logs = self._epoch(train_loader, "train/", train=True)
                self.logs["lr"] = self.optimizer.param_groups[0]["lr"]
                if val_loader is not None:
                    self.logs.update(self.evaluate(val_loader))
                    self.emit("validated")
                self.emit("epoch_end")
        except StopTraining as e:
            self.logs["stopped"] = str(e)
        self.emit("fit_end")
        return self.logs
