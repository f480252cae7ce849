"""An average of the weights kept on the CPU, one copy a parameter on every step."""
import copy

import torch
import torch.nn as nn

device = torch.device("cuda")
student = nn.Linear(16, 16).to(device)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
ema = copy.deepcopy(student).cpu().state_dict()
for step in range(1000):
    x = torch.randn(8, 16, device=device)
    loss = student(x).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    now = {k: v.cpu() for k, v in student.state_dict().items()}  # sync: copy-to-host
    for k in ema:
        ema[k] = 0.99 * ema[k] + 0.01 * now[k]
