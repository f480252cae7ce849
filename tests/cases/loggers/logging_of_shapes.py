"""Shapes, names and numbers in log lines; DEBUG records that nobody formats."""
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
    log.info("step %d of %d, batch %s", step, 100, tuple(x.shape))
    log.info(f"{x.shape} {x.dtype} {x.device} lr {opt.param_groups[0]['lr']:.4f}")
    log.debug("loss %s", loss)
    log.debug("x %s", x)
