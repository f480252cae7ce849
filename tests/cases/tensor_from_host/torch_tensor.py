"""Tensors built from Python values on the GPU: data travels, the host waits."""
import numpy as np
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
rows = np.ones((4, 8), dtype=np.float32)
for step in range(100):
    x = torch.randn(4, 8, device=device)
    t = torch.tensor(step / 100, device=device)  # sync: tensor-from-host
    steps = torch.tensor([step] * 4, device="cuda")  # sync: tensor-from-host
    target = torch.as_tensor(rows, device=device)  # sync: tensor-from-host
    weights = x.new_tensor([1.0, 2.0, 3.0, 4.0])  # sync: tensor-from-host
    filled = torch.full((4,), step / 100, device=device)
    zeros = torch.zeros(4, device=device)
    arange = torch.arange(4, device=device)
    scalar = torch.scalar_tensor(step, device=device)
    like = x.new_full((4,), 0.5)
    host = torch.tensor([1, 2, 3])
    loss = ((model(x) * t - target).mean(1) * weights + steps + filled + zeros + arange + scalar + like).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(host.sum().item())
