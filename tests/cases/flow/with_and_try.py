"""Values that pass through with blocks, try and finally."""
import contextlib

import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(50):
    x = torch.randn(4, 8, device=device)
    with torch.autocast("cuda"), contextlib.nullcontext():
        y = model(x)
    try:
        loss = y.float().mean()
        loss.backward()
        opt.step()
    except RuntimeError as error:
        print("skipping", error)
        continue
    finally:
        opt.zero_grad()
    with torch.no_grad():
        value = loss.item()  # sync: host-read
    with open("log.txt", "a") as f:
        f.write(f"{step} {value}\n")
