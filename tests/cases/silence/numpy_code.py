"""NumPy's item, tolist, where, nonzero and masks have nothing to do with the GPU."""
import numpy as np
import torch
import torch.nn as nn

device = torch.device("cuda")
net = nn.Linear(8, 8).to(device)
rng = np.random.default_rng(0)
replay = np.zeros((1000, 8), dtype=np.float32)
history = []
for step in range(100):
    x = torch.randn(4, 8, device=device)
    y = net(x)
    sample = rng.normal(size=(4, 8)).astype(np.float32)
    mask = sample > 0
    replay[mask.nonzero()[0]] = 1.0
    chosen = sample[mask]
    unique = np.unique(replay)
    history.append(sample.mean().item())
    values = chosen.tolist()
    if sample.any() and np.isnan(replay).sum() == 0:
        best = max(history)
        print(f"{best:.3f} {float(sample[0, 0]):.2f} {int(mask.sum())}", np.where(mask)[0].shape, unique[:2], len(values))
