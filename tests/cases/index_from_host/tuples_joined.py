"""Tuples joined and repeated stay tuples: None, ... and slices give a view; a list in them, or a list, is sent."""
import torch

device = torch.device("cuda")
x = torch.randn(4, 4, device=device)
for step in range(10):
    n = x.ndim
    a = x[(...,) + (None,) * n]
    b = x[(slice(None),) * 1 + (0,)]
    c = x[[0] + [1]]  # sync: index-from-host
    d = x[(None,) * n + ([0, 1],)]  # sync: index-from-host
    x = x + a.sum() + b.sum() + c.sum() + d.sum()
