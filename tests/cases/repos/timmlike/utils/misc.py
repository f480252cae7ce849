import os
import random
from copy import deepcopy

import numpy as np
import torch
import torch.distributed as dist
from torch import nn

__all__ = ["random_seed", "reduce_tensor", "ModelEma", "Mixup", "CheckpointSaver", "dispatch_clip_grad"]


def random_seed(seed=42, rank=0):
    torch.manual_seed(seed + rank)
    np.random.seed(seed + rank)
    random.seed(seed + rank)


def reduce_tensor(tensor, n):
    rt = tensor.clone()
    dist.all_reduce(rt, op=dist.ReduceOp.SUM)
    rt /= n
    return rt


class ModelEma(nn.Module):
    def __init__(self, model, decay=0.9999, device=None):
        super().__init__()
        self.module = deepcopy(model)
        self.module.eval()
        self.decay = decay
        self.device = device
        if self.device is not None:
            self.module.to(device=device)

    def _update(self, model, update_fn):
        with torch.no_grad():
            for ema_v, model_v in zip(self.module.state_dict().values(), model.state_dict().values()):
                if self.device is not None:
                    model_v = model_v.to(device=self.device)
                ema_v.copy_(update_fn(ema_v, model_v))

    def update(self, model):
        self._update(model, update_fn=lambda e, m: self.decay * e + (1. - self.decay) * m)


class Mixup:
    def __init__(self, mixup_alpha=1., prob=1.0, num_classes=1000, label_smoothing=0.1):
        self.mixup_alpha = mixup_alpha
        self.mix_prob = prob
        self.num_classes = num_classes
        self.label_smoothing = label_smoothing

    def _params_per_batch(self):
        lam = 1.
        if np.random.rand() < self.mix_prob:
            lam = float(np.random.beta(self.mixup_alpha, self.mixup_alpha))
        return lam

    def __call__(self, x, target):
        assert len(x) % 2 == 0, 'Batch size should be even when using this'
        lam = self._params_per_batch()
        x_flipped = x.flip(0).mul_(1. - lam)
        x.mul_(lam).add_(x_flipped)
        off = self.label_smoothing / self.num_classes
        on = 1. - self.label_smoothing + off
        y1 = torch.full((target.size(0), self.num_classes), off, device=x.device)
        y1.scatter_(1, target.view(-1, 1), on)
        return x, y1 * lam + y1.flip(0) * (1. - lam)


class CheckpointSaver:
    def __init__(self, model, optimizer, args=None, checkpoint_dir='', max_history=10):
        self.model = model
        self.optimizer = optimizer
        self.args = args
        self.checkpoint_dir = checkpoint_dir
        self.max_history = max_history
        self.best_metric = None
        self.checkpoint_files = []

    def save_checkpoint(self, epoch, metric=None):
        last_save_path = os.path.join(self.checkpoint_dir, 'last.pth.tar')
        self._save(last_save_path, epoch, metric)
        if metric is not None and (self.best_metric is None or metric > self.best_metric):
            self.best_metric = metric
        self.checkpoint_files.append((last_save_path, metric))
        return self.best_metric

    def _save(self, save_path, epoch, metric=None):
        save_state = {
            'epoch': epoch,
            'state_dict': self.model.state_dict(),
            'optimizer': self.optimizer.state_dict(),
        }
        if self.args is not None:
            save_state['args'] = self.args
        if metric is not None:
            save_state['metric'] = metric
        torch.save(save_state, save_path)  # sync: copy-to-host note


def dispatch_clip_grad(parameters, value, mode='norm'):
    if mode == 'norm':
        torch.nn.utils.clip_grad_norm_(parameters, value)
    elif mode == 'value':
        torch.nn.utils.clip_grad_value_(parameters, value)
    else:
        assert False, f"Unknown clip mode ({mode})."
