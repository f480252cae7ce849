# Article 003, step 5 "after": three reads become one. Still one wait in every step, so one warning instead of three.
import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

for step in range(10):
    loss = net(torch.randn(4, 8, device=device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    grad_norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    accuracy = torch.rand((), device=device)
    metrics = torch.stack([loss.detach(), accuracy, grad_norm])
    vals = metrics.cpu()  # sync: copy-to-host
    loss_val, acc_val, gnorm_val = vals.tolist()
