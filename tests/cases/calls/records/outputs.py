from dataclasses import dataclass, field
from typing import Dict, List, NamedTuple, Optional

import torch


@dataclass
class Output:
    logits: torch.Tensor
    loss: Optional[torch.Tensor] = None
    extras: Dict[str, torch.Tensor] = field(default_factory=dict)


class Stats(NamedTuple):
    mean: torch.Tensor
    count: int


@dataclass
class Config:
    device: str = "cuda"
    lr: float = 1e-3
    steps: int = 100
