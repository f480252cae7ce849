"""A GPU tensor indexed by something that lives on the host."""
import numpy as np
import torch

device = torch.device("cuda")
memory = torch.randn(10000, 64, device=device)
net = torch.nn.Linear(64, 1).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    perm = torch.randperm(10000)[:32]
    batch = memory[perm]  # sync: index-from-host
    picks = np.random.randint(0, 10000, size=32)
    other = memory[picks]  # sync: index-from-host
    some = memory[[0, 2, 4]]  # sync: index-from-host
    gpu_perm = torch.randperm(10000, device=device)[:32]
    good = memory[gpu_perm]
    first = memory[0]
    window = memory[step:step + 32]
    loss = net(batch).mean() + net(other).mean() + net(some).mean() + net(good).mean() + net(first).mean() + net(window).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
