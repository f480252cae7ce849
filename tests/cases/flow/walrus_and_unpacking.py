"""Less common bindings."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
x = torch.randn(4, 8, device=device)
for step in range(30):
    y = model(x)
    if (peak := y.max()) > 5:  # sync: tensor-truth
        x = x / 2
    head, *rest = y.unbind(0)
    print(len(rest), head.sum().item(), step)  # sync: host-read
    (a, b), c = (y.mean(), step), y.std()
    print(b, float(c))  # sync: host-read
    n = b = step
    print(float(n), int(b))
