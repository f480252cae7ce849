"""Branches on numbers of the host: counters, configuration, CPU tensors."""
import collections
import json

import torch

config = json.loads('{"warmup": 10, "clip": 1.0}')
model = torch.nn.Linear(16, 4).cuda()
targets = torch.randint(0, 4, (100,))
window = collections.deque(maxlen=10)
for step in range(100):
    model(torch.randn(8, 16, device="cuda")).sum().backward()
    window.append(config["clip"] * step)
    if step < config["warmup"] or targets[step] == 3 or targets[step].item() > 2:
        continue
    if max(window) > 2 * min(window) and sum(window) / len(window) > 1 and not any(targets[:step] > 3):
        break
