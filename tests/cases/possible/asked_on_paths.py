# options: --min-confidence possible
"""What may be a number or lie on the CPU on another path, and is asked here as only tensors are."""
import torch
from torch import Tensor, nn


class Balanced(nn.Module):
    def __init__(self, held: bool):
        super().__init__()
        self.held = held
        self.scale = torch.zeros(4)

    def forward(self, logits: Tensor, target: Tensor) -> Tensor:
        loss = nn.functional.cross_entropy(logits, target)
        kept = self.scale if self.held else logits.detach()
        self.scale = kept
        self.last = kept.mean().item()  # sync: host-read likely
        if kept.isnan().any():  # sync: tensor-truth likely
            return loss.new_zeros(())
        first = int(kept[0])  # sync: host-read possible
        return loss * first
