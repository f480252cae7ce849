import csv
import os
import sys

import torch


class Callback:
    def set_trainer(self, trainer):
        self.trainer = trainer

    def on_train_begin(self): pass
    def on_train_end(self): pass
    def on_epoch_begin(self, epoch): pass
    def on_epoch_end(self, epoch, logs): pass
    def on_batch_end(self, step, logs): pass


class ProgressBar(Callback):
    def __init__(self, refresh=5):
        self.refresh = refresh

    def on_epoch_begin(self, epoch):
        self.epoch = epoch
        self.running = {}

    def on_batch_end(self, step, logs):
        for k, v in logs.items():
            self.running[k] = self.running.get(k, 0) + v
        if (step + 1) % self.refresh == 0 or step + 1 == self.trainer.steps_per_epoch:
            body = " - ".join("%s: %.4f" % (k, v / (step + 1)) for k, v in self.running.items())
            sys.stdout.write("\rEpoch %d [%d/%d] %s" % (self.epoch + 1, step + 1, self.trainer.steps_per_epoch, body))
            sys.stdout.flush()

    def on_epoch_end(self, epoch, logs):
        print("\n  " + " - ".join("%s: %.4f" % kv for kv in logs.items()))


class EarlyStopping(Callback):
    def __init__(self, monitor="val_score", mode="max", patience=2, min_delta=0.0):
        self.monitor, self.sign, self.patience, self.min_delta = monitor, 1 if mode == "max" else -1, patience, min_delta
        self.best, self.wait = None, 0

    def on_epoch_end(self, epoch, logs):
        cur = self.sign * logs[self.monitor]
        if self.best is None or cur > self.best + self.min_delta:
            self.best, self.wait = cur, 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.trainer.stop_training = True


class ModelCheckpoint(Callback):
    def __init__(self, path, monitor="val_score"):
        self.path, self.monitor, self.best = path, monitor, float("-inf")

    def on_epoch_end(self, epoch, logs):
        if logs[self.monitor] > self.best:
            self.best = logs[self.monitor]
            torch.save(self.trainer.model.state_dict(), self.path)

    def on_train_end(self):
        if os.path.exists(self.path):
            self.trainer.model.load_state_dict(torch.load(self.path, map_location=self.trainer.device))


class CSVLogger(Callback):
    def __init__(self, path):
        self.path = path
        self.rows = []

    def on_epoch_end(self, epoch, logs):
        self.rows.append(dict(epoch=epoch, **logs))
        with open(self.path, "w", newline="") as f:
            w = csv.DictWriter(f, fieldnames=list(self.rows[0]))
            w.writeheader()
            w.writerows(self.rows)
