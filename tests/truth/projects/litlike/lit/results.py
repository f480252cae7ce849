from collections import defaultdict
from typing import Dict

import torch


class ResultCollection:
    def __init__(self):
        self.reset()

    def reset(self):
        self.epoch_sum: Dict[str, torch.Tensor] = {}
        self.epoch_n = defaultdict(int)
        self.step: Dict[str, torch.Tensor] = {}
        self.bar: Dict[str, torch.Tensor] = {}

    def add(self, name, value, on_step, on_epoch, prog_bar, batch_size):
        if not isinstance(value, torch.Tensor):
            value = torch.tensor(float(value))
        value = value.detach()
        if on_step:
            self.step[name] = value
        if on_epoch:
            prev = self.epoch_sum.get(name, 0.0)
            self.epoch_sum[name] = prev + value * batch_size
            self.epoch_n[name] += batch_size
        if prog_bar:
            self.bar[name] = value

    def epoch_metrics(self) -> Dict[str, float]:
        return {k: (v / self.epoch_n[k]).item() for k, v in self.epoch_sum.items()}

    def step_metrics(self) -> Dict[str, float]:
        return {k: v.item() for k, v in self.step.items()}

    def bar_metrics(self) -> Dict[str, float]:
        return {k: float(v) for k, v in self.bar.items()}
