"""Tensors made on the CPU and then moved, where device= would have made them in place."""
import numpy as np
import torch
import torch.nn as nn

device = torch.device("cuda")
G = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 32)).to(device)
opt = torch.optim.Adam(G.parameters())
for step in range(100):
    z = torch.randn(16, 64).to(device)  # sync: copy-to-device
    labels = torch.from_numpy(np.random.randint(0, 2, 16)).cuda()  # sync: copy-to-device
    eps = torch.rand(16, 1).cuda()  # sync: copy-to-device
    good = torch.randn(16, 64, device=device)
    again = good.to(device)
    loss = (G(z) * eps).mean() + G(again).mean() + labels.float().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
