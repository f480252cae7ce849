"""What torch.finfo and torch.iinfo say are Python numbers."""
import torch
from torch import nn


def limits(dtype):
    return torch.finfo(dtype).min, torch.finfo(dtype).max


class HardPairs(nn.Module):
    def forward(self, embeddings, labels):
        sim = embeddings @ embeddings.t()
        low, high = limits(sim.dtype)
        rows, columns = torch.where(labels[:, None] == labels[None, :])  # sync: dynamic-shape likely
        others = sim.clone()
        others[rows, columns] = low  # sync: index-from-host likely
        same = sim.masked_fill(labels[:, None] != labels[None, :], high)
        top = torch.tensor(torch.iinfo(torch.int32).max, device=sim.device)  # sync: tensor-from-host likely
        if low > torch.finfo(torch.float16).min:
            return same.clamp(min=torch.finfo(sim.dtype).eps).log().mean()
        return (others.max(1).values - same.min(1).values).relu().mean() + top * 0
