"""A breakdown of a step into phases: without a synchronisation between them each number belongs to the next wait."""
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda"
model = nn.Sequential(nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.utils.data.TensorDataset(torch.randn(4096, 256), torch.randint(0, 10, (4096,)))
loader = torch.utils.data.DataLoader(data, batch_size=64, pin_memory=True)
forward_s = backward_s = 0.0
for x, y in loader:
    x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
    t0 = time.perf_counter()
    loss = F.cross_entropy(model(x), y)
    t1 = time.perf_counter()  # sync: timer-unsynced
    optimizer.zero_grad()
    loss.backward()
    t2 = time.perf_counter()  # sync: timer-unsynced
    optimizer.step()
    forward_s += t1 - t0
    backward_s += t2 - t1
