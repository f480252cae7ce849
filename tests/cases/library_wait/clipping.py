"""Clipping waits only when it must raise an error."""
import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_

device = torch.device("cuda")
model = nn.LSTM(16, 32, batch_first=True).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(8, 20, 16, device=device)
for step in range(100):
    out, (h, c) = model(x)
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    norm = clip_grad_norm_(model.parameters(), 1.0)
    clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)  # sync: library-wait
    nn.utils.clip_grad_value_(model.parameters(), 1.0)
    optimizer.step()
