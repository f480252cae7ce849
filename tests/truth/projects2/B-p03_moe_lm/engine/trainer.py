import weakref
from collections import defaultdict

import torch

from moe.model import build_losses


class MoETrainer:
    def __init__(self, cfg, model, loader, optimizer, amp=False):
        self.cfg = cfg
        self.model = model
        self.loader = loader
        self.optimizer = optimizer
        self.amp = amp
        self.grad_scaler = torch.cuda.amp.GradScaler(enabled=amp)
        self.storage = defaultdict(list)
        self._hooks = []
        self._data_iter = None

    def register_hooks(self, hooks):
        for h in hooks:
            if h is not None:
                h.trainer = weakref.proxy(self)
                self._hooks.append(h)

    def train(self, max_iter):
        self.max_iter = max_iter
        self.iter = 0
        for h in self._hooks:
            h.before_train()
        for self.iter in range(max_iter):
            for h in self._hooks:
                h.before_step()
            self.run_step()
            for h in self._hooks:
                h.after_step()
        for h in self._hooks:
            h.after_train()

    def next_batch(self):
        try:
            return next(self._data_iter)
        except (StopIteration, TypeError):
            self._data_iter = iter(self.loader)
            return next(self._data_iter)

    def run_step(self):
        assert self.model.training, "model was changed to eval mode!"
        data = self.next_batch()
        tokens = data["tokens"].cuda(non_blocking=True)
        with torch.cuda.amp.autocast(enabled=self.amp):
            logits = self.model(tokens[:, :-1])
            losses = build_losses(self.cfg, self.model, logits, tokens[:, 1:])
            total = sum(losses.values())
        self.optimizer.zero_grad()
        self.grad_scaler.scale(total).backward()
        self.grad_scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.SOLVER.CLIP)
        self.grad_scaler.step(self.optimizer)
        self.grad_scaler.update()
        self._write_metrics(losses)

    def _write_metrics(self, losses):
        metrics = {k: v.detach().cpu().item() for k, v in losses.items()}
        total = sum(metrics.values())
        if total != total:
            raise FloatingPointError("Loss became NaN at iteration=%d" % self.iter)
        self.storage["total_loss"].append(total)
        for k, v in metrics.items():
            self.storage[k].append(v)
        for i, m in enumerate(self.model.moe_layers()):
            load = m.aux["load"]
            self.storage["moe%d/max_load" % i].append(load.max().item())
            self.storage["moe%d/dropped" % i].append(m.aux["dropped"])
