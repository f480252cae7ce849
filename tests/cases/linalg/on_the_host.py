"""Factorisations of CPU tensors and NumPy arrays."""
import numpy as np
import torch

model = torch.nn.Linear(16, 4).cuda()
a = torch.eye(16)
for step in range(100):
    low = torch.linalg.cholesky(a)
    inv = np.linalg.inv(a.numpy())
    values = torch.linalg.eigvalsh(a).tolist()
    model(torch.randn(8, 16, device="cuda")).sum().backward()
    print(low[0, 0].item(), inv[0, 0].item(), values[0])
