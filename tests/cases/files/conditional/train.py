"""What is imported under a condition: a fast kernel or our own, types that only a checker sees, a module by version."""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import torch

try:
    from kernels_that_may_be_missing import clip_norm
except ImportError:
    from fallback import clip_norm

if sys.version_info >= (3, 11):
    from meters import Meter
else:
    from meters import OldMeter as Meter

if TYPE_CHECKING:
    from meters import History

model = torch.nn.Linear(16, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(history: History) -> None:
    meter = Meter()
    for step in range(500):
        loss = model(torch.randn(8, 16, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        norm = clip_norm(model.parameters(), 1.0)
        optimizer.step()
        meter.update(loss.detach())
        history.append(norm)
    print(meter.mean())


if __name__ == "__main__":
    from meters import History as Kept

    train(Kept())
