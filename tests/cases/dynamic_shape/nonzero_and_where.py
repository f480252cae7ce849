"""Indices of what is true: how many there are must be known."""
import torch

device = torch.device("cuda")
scores = torch.rand(4, 1000, device=device)
for i in range(20):
    scores = scores.roll(1, dims=1) * 0.99
    keep = scores > 0.5
    idx = keep.nonzero()  # sync: dynamic-shape
    rows, cols = torch.nonzero(keep, as_tuple=True)  # sync: dynamic-shape
    same = torch.where(keep)  # sync: dynamic-shape
    arg = torch.argwhere(keep)  # sync: dynamic-shape
    fixed = torch.nonzero_static(keep, size=4000)
    chosen = torch.where(keep, scores, 0.0)
    print(idx.shape, rows.shape, cols.shape, len(same), arg.shape, fixed.shape, chosen.shape)
