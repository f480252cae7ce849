"""A logger formats a record that it emits."""
import logging

import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
log = logging.getLogger(__name__)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    log.info("loss %s", loss)  # sync: print-tensor
    log.info("loss %.3f", loss.item())  # sync: host-read
    log.warning("loss %s", loss)  # sync: print-tensor
    log.debug(f"{loss:.3f}")  # sync: host-read
