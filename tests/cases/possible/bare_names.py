# options: --min-confidence possible
"""A bare name decides whether something is there, where it is only perhaps a tensor; a comparison decides by its value.
And anything is printed."""
from dataclasses import dataclass
from typing import Optional

import torch


@dataclass
class Output:
    mean: torch.Tensor
    spread: Optional[torch.Tensor]

    def copy_(self, other: "Output") -> None:
        self.mean.copy_(other.mean)
        if self.spread:
            self.spread.copy_(other.spread)

    def wide(self, most: float) -> bool:
        return True if self.spread.max() > most else False  # sync: tensor-truth likely


def show(parts):
    for part in parts:
        print(part.unsqueeze(0))
        print(str(part.permute(1, 0)))
