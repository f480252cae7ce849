"""math.* asks the tensor for its float."""
import math
import sys

import torch
import torch.nn.functional as F

device = torch.device("cuda:0")
w = torch.randn(64, 64, device=device, requires_grad=True)
x = torch.randn(128, 64, device=device)
lr = 1e-3
for step in range(1000):
    loss = F.mse_loss(x @ w, x)
    loss.backward()
    if math.isnan(loss):  # sync: host-read
        sys.exit("diverged")
    if not math.isfinite(loss.detach()):  # sync: host-read
        break
    bits = math.log2(loss)  # sync: host-read
    lr = 1e-3 * math.cos(math.pi * step / 1000)
    with torch.no_grad():
        w -= lr * w.grad
        w.grad = None
