# Article 003 (the skill), the "after" halves.
import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
inputs = [torch.randn(8, 8) for _ in range(4)]
obj = [1.0, 2.0, 3.0]
arr = np.ones(8, dtype=np.float32)
idx_gpu = torch.arange(0, 8, 2, device=device)
repeats = torch.arange(8, device=device)
total_repeats = 28
threshold = 0.5

for x_cpu in inputs:
    x_gpu = x_cpu.to("cuda", non_blocking=True)
    saved = x_gpu.to("cpu", non_blocking=True)

    loss = net(x_gpu).square().mean()
    optimizer.zero_grad()
    loss.backward()
    grad_norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()

    result = torch.where(loss > threshold, x_gpu, -x_gpu)
    val = torch.max(x_gpu[0, 0], x_gpu[0, 1])

    a = torch.tensor(obj).to("cuda", non_blocking=True)
    b = torch.zeros(1, device="cuda", dtype=torch.long).squeeze()
    c = torch.from_numpy(arr).to("cuda", non_blocking=True)
    d = torch.tensor([False, True], device="cpu").to("cuda", non_blocking=True)
    e = x_gpu.type(torch.float16)
    f = x_gpu[idx_gpu]
    x_gpu[1, 2] = val
    h = torch.where(x_gpu > 0, x_gpu, 0)
    k = torch.repeat_interleave(x_gpu, repeats, dim=0, output_size=total_repeats)
    x_gpu[x_gpu < 0] = 0
