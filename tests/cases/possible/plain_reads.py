# options: --min-confidence possible
"""What Python does with numbers too is surely a read only where something shows a tensor: a way to the GPU in sight, a
computation of tensors, a method that numbers lack, or the arguments of a step."""
import torch
from pytorch_lightning import LightningModule
from torch import nn


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(1000, 8)

    def forward(self, x, t, rows: torch.Tensor, names: torch.Tensor):
        x = x + self.embed(t)
        if t > 500:  # sync: tensor-truth possible
            x = x * 2
        if (t > 3).any():  # sync: tensor-truth likely
            x = -x
        norm = x.norm()
        if norm > 5:  # sync: tensor-truth likely
            x = x / norm
        for row in rows:
            x[row : row + 2] *= 2  # sync: host-read possible
        print(f"of {names}")  # sync: host-read possible
        return x


class Task(LightningModule):
    def training_step(self, batch, batch_idx):
        x, limit = batch
        x = x + limit.view(-1)
        if limit > 3:  # sync: tensor-truth likely
            x = x * 2
        return x.mean()


error = torch.ones((), device="cuda")
weight = torch.rand(8, 8, device="cuda")
while error > 1e-3:  # sync: tensor-truth certain
    error = (weight @ weight).abs().max() * error
    error.item()  # sync: host-read likely
