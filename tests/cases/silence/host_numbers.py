"""Python numbers, configuration and strings: nothing here knows a GPU value."""
import argparse
import math
import random

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--steps", type=int, default=100)
args = parser.parse_args()
device = torch.device("cuda")
model = nn.Linear(16, 1).to(device)
lr = float(args.lr)
optimizer = torch.optim.SGD(model.parameters(), lr=lr)
schedule = {"warmup": 10, "total": int(args.steps)}
names = ["a", "b", "c"]
for step in range(args.steps):
    scale = min(1.0, (step + 1) / schedule["warmup"])
    cosine = 0.5 * (1 + math.cos(math.pi * step / schedule["total"]))
    for group in optimizer.param_groups:
        group["lr"] = lr * scale * cosine
    x = torch.randn(8, 16, device=device)
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    current = optimizer.param_groups[0]["lr"]
    if current < 1e-8 and step > 10 or step == args.steps - 1:
        break
    if not names or step in (3, 5, 8):
        continue
    print(f"epoch {step} lr {current:.2e} name {names[step % 3]} draw {random.random():.3f}")
    for key, value in schedule.items():
        print(key, int(value), float(value), max(value, 3), sorted(schedule))
