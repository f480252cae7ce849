"""What is no dict is the name that it may be too; what only strings have is asked of a string."""
import logging

import torch

logger = logging.getLogger(__name__)


class Ranges:
    def partition(self, ts: torch.Tensor):
        return ts.cuda(), ts, ts + 1


def load(weights: str | dict[str, torch.Tensor], specs):
    for spec in specs:
        bucket, _, path = spec.partition(":")
        print(f"{bucket} {path}")
    if not isinstance(weights, dict):
        logger.info(f"loading from {weights}")
        return None
    return {k: v.sum().item() for k, v in weights.items()}  # sync: host-read


class Heads(torch.nn.Module):
    def forward(self, x, task):
        if isinstance(task, int):
            return self.single(x, task)
        return x * task.sum().item()  # sync: host-read

    def single(self, x, task):
        return getattr(self, str(task))(x)
