import csv
import os
from typing import List, Optional

import torch

from .callbacks import Callback, ProgressBar
from .module import LitModule
from .results import ResultCollection


class CSVLogger:
    def __init__(self, save_dir):
        os.makedirs(save_dir, exist_ok=True)
        self.path = os.path.join(save_dir, "metrics.csv")
        self.rows = []

    def log_metrics(self, metrics, step):
        self.rows.append({"step": step, **metrics})

    def save(self):
        keys = sorted({k for r in self.rows for k in r})
        with open(self.path, "w", newline="") as f:
            w = csv.DictWriter(f, keys)
            w.writeheader()
            w.writerows(self.rows)


class Trainer:
    def __init__(self, max_epochs=10, callbacks: Optional[List[Callback]] = None, accelerator="auto", precision="32",
                 gradient_clip_val=None, accumulate_grad_batches=1, log_every_n_steps=10, default_root_dir="out",
                 num_sanity_val_steps=1, detect_anomaly=False):
        self.max_epochs = max_epochs
        self.callbacks = [ProgressBar()] + list(callbacks or [])
        self.precision = precision
        self.gradient_clip_val = gradient_clip_val
        self.accumulate_grad_batches = accumulate_grad_batches
        self.log_every_n_steps = log_every_n_steps
        self.num_sanity_val_steps = num_sanity_val_steps
        self.detect_anomaly = detect_anomaly
        if accelerator == "auto":
            accelerator = "cuda" if torch.cuda.is_available() else "cpu"
        self.root_device = torch.device(accelerator)
        self.logger = CSVLogger(default_root_dir)
        self.results = ResultCollection()
        self.callback_metrics = {}
        self.current_epoch = 0
        self.global_step = 0
        self.should_stop = False
        self.sanity_checking = False

    # ------------------------------------------------------------------
    def _call(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(self, self.module, *args)

    def batch_to_device(self, batch):
        if torch.is_tensor(batch):
            return batch.to(self.root_device, non_blocking=True)
        if isinstance(batch, dict):
            return {k: self.batch_to_device(v) for k, v in batch.items()}
        if isinstance(batch, (list, tuple)):
            return type(batch)(self.batch_to_device(b) for b in batch)
        return batch

    def autocast(self):
        enabled = self.precision in ("bf16", "bf16-mixed")
        return torch.autocast(self.root_device.type, dtype=torch.bfloat16, enabled=enabled)

    def _setup_optimizers(self):
        out = self.module.configure_optimizers()
        self.schedulers = []
        if isinstance(out, dict):
            self.optimizers = [out["optimizer"]]
            self.schedulers = [out["lr_scheduler"]] if "lr_scheduler" in out else []
        elif isinstance(out, tuple):
            self.optimizers, self.schedulers = out
        else:
            self.optimizers = [out]

    # ------------------------------------------------------------------
    def fit(self, module: LitModule, train_loader, val_loader=None, ckpt_path=None):
        self.module = module
        module.trainer = self
        module.to(self.root_device)
        self._setup_optimizers()
        if ckpt_path:
            self.restore(ckpt_path)
        self.num_training_batches = len(train_loader)
        self._call("on_fit_start")
        if val_loader is not None and self.num_sanity_val_steps:
            self.sanity_checking = True
            self.validate(val_loader, limit=self.num_sanity_val_steps)
            self.sanity_checking = False
        with torch.autograd.set_detect_anomaly(self.detect_anomaly):
            while self.current_epoch < self.max_epochs and not self.should_stop:
                self._train_epoch(train_loader)
                if val_loader is not None:
                    self.validate(val_loader)
                    self._call("on_validation_end")
                self.current_epoch += 1
        self.logger.save()
        self._call("on_fit_end")

    def _train_epoch(self, loader):
        m, opt = self.module, self.optimizers[0]
        m.train()
        self.results.reset()
        self._call("on_train_epoch_start")
        for i, batch in enumerate(loader):
            batch = self.batch_to_device(batch)
            with self.autocast():
                out = m.training_step(batch, i)
            loss = out["loss"] if isinstance(out, dict) else out
            if not torch.isfinite(loss):
                raise ValueError(f"The loss returned in `training_step` is {loss}.")
            (loss / self.accumulate_grad_batches).backward()
            if (i + 1) % self.accumulate_grad_batches == 0 or i + 1 == len(loader):
                if self.gradient_clip_val:
                    torch.nn.utils.clip_grad_norm_(m.parameters(), self.gradient_clip_val)
                opt.step()
                opt.zero_grad(set_to_none=True)
                self.global_step += 1
                if self.global_step % self.log_every_n_steps == 0:
                    self.logger.log_metrics(self.results.step_metrics(), self.global_step)
            self._call("on_train_batch_end", out, batch, i)
        for s in self.schedulers:
            s.step()
        m.on_train_epoch_end()
        metrics = self.results.epoch_metrics()
        self.callback_metrics.update(metrics)
        self.logger.log_metrics(metrics, self.global_step)
        self._call("on_train_epoch_end")

    @torch.no_grad()
    def validate(self, loader, limit=None):
        m = self.module
        m.eval()
        self.results.reset()
        m.on_validation_epoch_start()
        for i, batch in enumerate(loader):
            if limit is not None and i >= limit:
                break
            with self.autocast():
                m.validation_step(self.batch_to_device(batch), i)
        m.on_validation_epoch_end()
        if not self.sanity_checking:
            metrics = self.results.epoch_metrics()
            self.callback_metrics.update(metrics)
            self.logger.log_metrics(metrics, self.global_step)
            print(f"[epoch {self.current_epoch}] " + "  ".join(f"{k}={v:.4f}" for k, v in sorted(self.callback_metrics.items())))
        m.train()

    # ------------------------------------------------------------------
    def save_checkpoint(self, path):
        torch.save({"state_dict": self.module.state_dict(), "hparams": self.module.hparams, "epoch": self.current_epoch,
                    "global_step": self.global_step, "optimizers": [o.state_dict() for o in self.optimizers]}, path)

    def restore(self, path):
        ckpt = torch.load(path, map_location=self.root_device)
        self.module.load_state_dict(ckpt["state_dict"])
        for o, s in zip(self.optimizers, ckpt["optimizers"]):
            o.load_state_dict(s)
        self.current_epoch, self.global_step = ckpt["epoch"] + 1, ckpt["global_step"]
