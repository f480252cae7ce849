"""item(), tolist(), nonzero() and masks of NumPy arrays."""
import numpy as np
import torch

weights = np.random.rand(64)
model = torch.nn.Linear(16, 4).cuda()
for step in range(100):
    model(torch.randn(8, 16, device="cuda")).sum().backward()
    heavy = weights[weights > 0.5]
    first = weights.argmax().item(), weights.max().item(), weights.nonzero()[0].tolist()
    weights[weights < 0.1] = 0
    if weights.any() and heavy.size and float(weights.mean()) > 0.1:
        print(first, int(weights.sum()), f"{weights[0]:.3f}", np.unique(weights).shape)
