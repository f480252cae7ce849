"""A timer used as a context manager: the waits stand in its methods."""
import time

import torch
import torch.nn as nn


class Timer:
    def __init__(self, name):
        self.name = name
        self.total = 0.0

    def __enter__(self):
        torch.cuda.synchronize()  # sync: sync-for-timer
        self.start = time.time()
        return self

    def __exit__(self, *exc):
        torch.cuda.synchronize()  # sync: sync-for-timer
        self.total += time.time() - self.start


device = torch.device("cuda")
model = nn.Linear(64, 64).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
forward_timer = Timer("forward")
for _ in range(100):
    x = torch.randn(32, 64, device=device)
    with forward_timer:
        loss = model(x).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(forward_timer.name, forward_timer.total)
