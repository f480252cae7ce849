"""A warning below a condition is said seldom: what makes its text waits only with it, and the condition each time."""
import logging
import warnings

import torch

log = logging.getLogger(__name__)
model = torch.nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    loss = model(torch.randn(4, 8, device="cuda")).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if loss.item() < 0:  # sync: host-read
        log.warning(f"negative: {loss.item()}")  # sync: host-read note
    if not torch.isfinite(loss):  # sync: tensor-truth
        warnings.warn("the loss is %s" % loss)  # sync: print-tensor note
        continue
    if step % 10:
        print(loss)  # sync: print-tensor
        log.error("a step that is no tenth")
    log.warning(f"{step} {loss:.3f}")  # sync: host-read
