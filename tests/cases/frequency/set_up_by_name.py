"""What nobody in sight calls runs as often as its name and class tell: what loads, converts, exports or fits does it once
in a run, what a data set does is done on the CPU."""
import torch
from torch import nn
from torch.utils.data import Dataset


def load_pretrained_weights(model: nn.Module, weights: torch.Tensor):
    if torch.isnan(weights).any():
        raise ValueError("weights are broken")
    model.weight.data.copy_(weights.to(model.weight.device))
    return weights.norm().item()


def convert_checkpoint(weights: torch.Tensor):
    return weights.float().cpu().numpy()


class Speech(Dataset):
    def mix(self, clean: torch.Tensor, noise: torch.Tensor):
        mixed = clean + noise
        clipped = mixed.abs() > 0.99
        if clipped.any():
            mixed[clipped] = mixed[clipped] / mixed.max().item()
        return mixed


class Whitening:
    def fit(self, data: torch.Tensor):
        self.mean = data.mean(0)
        _, spread, self.basis = torch.linalg.svd(data - self.mean)
        self.rank = int((spread > 1e-3).sum())
        return self

    def apply(self, data: torch.Tensor):
        rows = data[data.abs().sum(1) > 0]  # sync: dynamic-shape
        return (rows - self.mean) @ self.basis


class Tail(nn.Module):
    """A list with None or an ellipsis in it is a view's index, as a tuple is; one of numbers is uploaded."""

    def forward(self, x: torch.Tensor, rows: int):
        wide = x[[None] * rows + [...]]
        picked = x[[0, rows]]  # sync: index-from-host
        return wide.sum() + picked.sum()
