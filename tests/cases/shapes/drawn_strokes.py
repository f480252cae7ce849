"""A data set that is drawn stroke by stroke: the loop after it has its shapes."""
import numpy as np
import torch
import torch.nn as nn

pictures = np.zeros((60, 12, 28, 28), dtype=np.float32)
for kind in range(60):
    base = np.random.randn(14, 2)
    for number in range(12):
        path = base + np.random.randn(14, 2)
        for a, b in zip(path[:-1], path[1:]):
            for t in np.linspace(0, 1, 12):
                y, x = np.round(a * (1 - t) + b * t).astype(int)
                pictures[kind, number, y, x] = 1
images = torch.from_numpy(pictures).cuda()
layer = nn.Linear(28, 4).cuda()
for _ in range(1000):
    y = layer(images)  # is: cuda float (60, 12, 28, 4)
