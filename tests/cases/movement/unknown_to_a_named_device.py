"""torch.as_tensor() makes a tensor of anything, where it is told: what is annotated may not say otherwise."""
from typing import Optional, Sequence, Union

import numpy as np
import torch
from torch import Tensor
from torch_geometric.utils import to_scipy_sparse_matrix


def as_tensor(arg: Union[float, np.ndarray, Tensor], dtype=None, device: Optional[str] = None) -> Tensor:
    if device is None and isinstance(arg, Tensor):
        device = arg.device
    return torch.as_tensor(arg, dtype=dtype, device=device)


def radius(sigma: Union[Sequence[float], np.ndarray, Tensor], factor: float = 3) -> Tensor:
    sigma = as_tensor(sigma, dtype=torch.float32, device="cpu")
    if sigma.lt(0).any():
        raise ValueError("sigma is negative")
    return sigma * factor


def edge_score(edges: Sequence[Tensor], matching: Tensor) -> float:
    """What SciPy has is on the host."""
    a = to_scipy_sparse_matrix(edges[0]).tocsc()  # sync: library-wait
    a[0, 1] = 2.0
    return float(a.sum())
