"""With `key=` Python compares what that gives: of GPU scalars it asks each comparison, of their names and numbers none."""
import torch

device = torch.device("cuda")
model = torch.nn.Linear(8, 8).to(device)
history = []
for step in range(1000):
    x = torch.randn(4, 8, device=device)
    losses = [model(row).pow(2).mean() for row in x.unbind()]
    worst = max(zip(losses, range(4)), key=lambda pair: pair[0])  # sync: tensor-truth
    rows = [{"loss": loss.detach(), "step": step, "name": str(step)} for loss in losses]
    best = min(rows, key=lambda row: row["loss"])  # sync: tensor-truth
    rows.sort(key=lambda row: row["loss"], reverse=True)  # sync: tensor-truth
    order = sorted(range(4), key=lambda i: losses[i])  # sync: tensor-truth
    larger = max(losses[0], losses[1], key=lambda loss: loss.abs())  # sync: tensor-truth
    last = max(rows, key=lambda row: row["step"])
    named = sorted(rows, key=lambda row: row["name"])
    rows.sort(key=lambda row: len(row["name"]))
    longest = max(losses, key=lambda loss: loss.dim())
    keys = sorted({"worst": losses[0], "last": losses[1]})  # of a dict the keys
    history.append(sum(losses).detach())
