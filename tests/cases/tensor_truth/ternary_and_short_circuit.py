"""Ternaries, or, not, and comprehension conditions."""
import torch

device = torch.device("cuda")
x = torch.randn(1000, device=device)
scale = 1.0
for step in range(100):
    x = torch.sin(x)
    peak = x.abs().max()
    scale = 0.5 if peak > 1 else 1.0  # sync: tensor-truth
    alive = not peak  # sync: tensor-truth
    value = peak or scale  # sync: tensor-truth
    big = [r for r in x.split(100) if r.max() > 0.9]  # sync: tensor-truth
    x = x * scale
    print(step, alive, len(big), value is None)
