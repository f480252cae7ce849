# options: --min-confidence possible
"""What goes into a buffer of the CPU comes from the GPU surely where a way there is in sight or where it trains; by a
parameter's convention alone it is only possible."""
import torch
from pytorch_lightning import LightningModule
from torch import nn


class Bins(nn.Module):
    def forward(self, scores: torch.Tensor):
        kept = torch.zeros(8, 8)
        for i in range(8):
            kept[i] = scores[i].cumsum(0)
        return kept


class Task(LightningModule):
    def training_step(self, batch, batch_idx):
        kept = torch.zeros(8)
        kept[:] = batch.mean(1)  # sync: copy-to-host likely
        return kept.sum()


x = torch.rand(8, 8, device="cuda")
rows = torch.zeros(8, 8)
for i in range(8):
    x = x @ x
    rows[i] = x[i]  # sync: copy-to-host likely
