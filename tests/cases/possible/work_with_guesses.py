# options: --min-confidence possible
"""What a call that nobody sees gives for tensors of the GPU is perhaps one of them: likely, where it is masked, indexed or
decomposed as only tensors are."""
import torch
from somewhere import encode, frames
from torch import nn


class Head(nn.Module):
    def forward(self, x, keep):
        hidden = encode(x)
        kept = hidden[keep.bool()]  # sync: dynamic-shape likely
        factor = torch.linalg.cholesky(hidden)  # sync: linalg-check likely
        picked = hidden[:, [2, 1, 0]]  # sync: index-from-host likely
        ones = torch.tensor([1.0, 2.0], device=hidden.device)  # sync: tensor-from-host likely
        return kept, factor, picked, ones


for frame in frames:
    found = frame.unsqueeze(0).detach()
    values = torch.linalg.eigvalsh(found)  # sync: linalg-check possible
