"""Code for arrays and tensors alike puts arrays into arrays and tensors into tensors."""
import numpy as np
import torch


def corners(x):
    y = x.clone() if isinstance(x, torch.Tensor) else np.copy(x)
    y[..., 0] = x[..., 0] - x[..., 2] / 2
    y[..., 1] -= x[..., 3]
    return y


kept = np.zeros((4, 4))
for step in range(10):
    a = corners(torch.randn(4, 4, device="cuda"))
    b = corners(np.zeros((4, 4)))
    kept[0, 0] = a.sum()  # sync: host-read
    if a._cdata != a.t()._cdata or a._version > 3:
        print(b)
