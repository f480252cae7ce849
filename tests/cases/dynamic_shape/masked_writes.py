"""Writing a tensor through a mask waits; writing a number does not."""
import torch

device = torch.device("cuda")
x = torch.randn(512, 512, device=device)
y = torch.randn(512, 512, device=device)
for step in range(100):
    mask = x > 1.0
    x[mask] = 0
    x[x < -1.0] = -1.0
    x.masked_fill_(mask, 0.5)
    x[mask] = y.mean()  # sync: dynamic-shape
    x[mask] = y[mask]  # sync: dynamic-shape x2
    x = torch.where(mask, y, x)
    x = x @ y / 512
