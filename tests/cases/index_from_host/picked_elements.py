"""What is picked by a number out of an index tensor may be a scalar, which the host reads: nothing is sent then."""
import numpy as np
import torch
from torch import nn


class Match(nn.Module):
    def forward(self, ious: torch.Tensor, labels: torch.Tensor):
        for i in range(len(ious)):
            best = ious[i].flip(0).max(0)
            for t in range(10):
                ious[:, best.indices[t], t] = -3
        for b, n in np.ndindex(*labels.shape[:2]):
            flag = labels[b, n] + labels[0, 0]
        for row in torch.arange(int(ious.shape[0])):
            ious[row, : 3, :] = ious[row, 3:6, :]
        return ious, flag
