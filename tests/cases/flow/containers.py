"""GPU and host values side by side in lists, tuples and dicts."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(8, 3).to(device)
for step in range(20):
    x = torch.randn(4, 8, device=device)
    out = model(x)
    pair = (step, out.mean())
    info = {"step": step, "out": out, "name": "run"}
    rows = []
    for i in range(3):
        rows.append(out[:, i].sum())
    index, mean = pair
    print(index, f"{mean:.3f}")  # sync: host-read
    print(info["step"], info["name"])
    value = info["out"].max().item()  # sync: host-read
    first = rows[0].item()  # sync: host-read
    count = int(pair[0]) + len(rows)
    mean, index = index, mean
    print(int(mean), count, value, first)
    print(int(index))  # sync: host-read
