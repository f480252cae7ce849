"""A library's functions that nothing in sight calls: those that take tensors are called with a step's or a batch's."""
from typing import Optional, Union

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor


class RunningAccuracy:
    def __init__(self, classes: int, device: torch.device = torch.device("cuda")):
        self.device = device
        self.hits = torch.zeros(classes, device=device)
        self.seen = torch.zeros(classes, device=device)

    def update(self, logits: Tensor, target: Tensor) -> None:
        guess = logits.argmax(dim=1)
        if (target < 0).any():  # sync: tensor-truth likely
            target = target.clamp(min=0)
        self.hits += torch.bincount(target[guess == target], minlength=len(self.hits))  # sync: dynamic-shape likely, dynamic-shape likely
        self.seen += torch.bincount(target, minlength=len(self.seen))  # sync: dynamic-shape likely

    def warm(self) -> None:
        self.scale = torch.tensor([0.5, 0.25], device=self.device)


def boundary_loss(output: Tensor, target: Optional[Tensor] = None, weights: list[float] = (0.4, 0.6)) -> Tensor:
    shares = torch.tensor(weights, device=output.device)  # sync: tensor-from-host likely
    edge = (output - target).abs()
    edge[edge > 1] = 1.0
    return (edge.flatten(1) * shares).mean()


def keep(boxes: dict[str, Tensor], floor: float):
    kept = boxes["scores"] > floor
    return {name: value[kept] for name, value in boxes.items()}  # sync: dynamic-shape likely


def foreground(label: Union[np.ndarray, Tensor]):
    """Of a sample, in the loader's workers most often."""
    if isinstance(label, np.ndarray):
        return np.nonzero(label)[0]
    return torch.nonzero(label).flatten()


def agree(loss: Tensor, group=None):
    dist.barrier(group)
    return loss.detach() / dist.get_world_size(group)


def warm_up(width: int, device: torch.device):
    return torch.tensor([0.0, 1.0, float(width)], device=device)
