"""The 2-norm of a matrix is its largest singular value; over one dimension it is a vector norm, which checks nothing."""
import torch

x = torch.randn(64, 64, device="cuda")
for step in range(100):
    x = x @ x
    a = torch.linalg.norm(x, ord=2)  # sync: linalg-check
    b = torch.linalg.norm(x, 2, dim=(0, 1))  # sync: linalg-check
    c = torch.linalg.norm(x, ord=2, dim=-1, keepdim=True)
    d = torch.linalg.norm(x, 2, 1)
    x = x / c
