import os

import torch

try:
    from tqdm import tqdm
except ImportError:
    tqdm = None


class Callback:
    def on_fit_start(self, trainer, module): ...
    def on_fit_end(self, trainer, module): ...
    def on_train_epoch_start(self, trainer, module): ...
    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx): ...
    def on_train_epoch_end(self, trainer, module): ...
    def on_validation_end(self, trainer, module): ...


class ProgressBar(Callback):
    def __init__(self, refresh_rate: int = 1):
        self.refresh_rate = refresh_rate
        self.bar = None

    def on_train_epoch_start(self, trainer, module):
        if tqdm is not None:
            self.bar = tqdm(total=trainer.num_training_batches, desc=f"Epoch {trainer.current_epoch}", leave=False)

    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
        if self.bar is not None and (batch_idx + 1) % self.refresh_rate == 0:
            self.bar.update(self.refresh_rate)
            self.bar.set_postfix(trainer.results.bar_metrics())

    def on_train_epoch_end(self, trainer, module):
        if self.bar is not None:
            self.bar.close()


class LRMonitor(Callback):
    def on_train_epoch_end(self, trainer, module):
        for i, opt in enumerate(trainer.optimizers):
            trainer.logger.log_metrics({f"lr-{type(opt).__name__}-{i}": opt.param_groups[0]["lr"]}, trainer.global_step)


class EarlyStopping(Callback):
    def __init__(self, monitor="val_loss", patience=3, min_delta=0.0, mode="min"):
        self.monitor, self.patience, self.min_delta = monitor, patience, min_delta
        self.sign = 1 if mode == "min" else -1
        self.best = float("inf")
        self.wait = 0

    def on_validation_end(self, trainer, module):
        current = self.sign * trainer.callback_metrics[self.monitor]
        if current < self.best - self.min_delta:
            self.best = current
            self.wait = 0
        else:
            self.wait += 1
            trainer.should_stop = self.wait >= self.patience


class ModelCheckpoint(Callback):
    def __init__(self, dirpath, monitor="val_loss", mode="min", save_top_k=1, filename="epoch={epoch}-step={step}"):
        self.dirpath, self.monitor, self.mode = dirpath, monitor, mode
        self.save_top_k, self.filename = save_top_k, filename
        self.best_k = {}
        os.makedirs(dirpath, exist_ok=True)

    @property
    def best_model_path(self):
        pick = min if self.mode == "min" else max
        return pick(self.best_k, key=self.best_k.get)

    def on_validation_end(self, trainer, module):
        score = trainer.callback_metrics.get(self.monitor)
        path = os.path.join(self.dirpath, self.filename.format(epoch=trainer.current_epoch, step=trainer.global_step) + ".ckpt")
        trainer.save_checkpoint(path)
        self.best_k[path] = score
        if len(self.best_k) > self.save_top_k:
            pick = max if self.mode == "min" else min
            worst = pick(self.best_k, key=self.best_k.get)
            self.best_k.pop(worst)
            os.remove(worst)
