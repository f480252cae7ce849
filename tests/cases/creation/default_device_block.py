"""`with torch.device(...)` is the default device of its block, and of nothing else; a device named "cpu" is none."""
import numpy as np
import torch

gpu = torch.device("cuda")
x = torch.randn(8, 2, device=gpu)
for step in range(100):
    with torch.device("cpu"):
        host = torch.tensor([1.0, 2.0])
        also = torch.as_tensor([1.0, 2.0])
    outside = torch.tensor([1.0, 2.0])
    number = np.float32(1.5)
    scaled = x * number
    row = x[np.int64(3)]
    kind = np.zeros(4, dtype=np.float32)
    cast = np.int64(7) + np.float64(2)
    y = x + float(np.float32(2.0))
