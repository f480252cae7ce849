"""Only this file is asked about: what the package's files do is known, and not reported."""
import torch

from proj.models import Net

device = torch.device("cuda")
net = Net(32).to(device)
opt = torch.optim.Adam(net.parameters())
for step in range(100):
    out = net(torch.randn(8, 32, device=device))
    loss = out.square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())  # sync: host-read
