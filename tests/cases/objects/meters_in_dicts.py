"""Meters kept under names, and made by a factory, a comprehension and a defaultdict: each is one place of its own."""
import time
from collections import defaultdict

import torch
import torch.nn.functional as F


class RunningMean:
    def __init__(self, momentum=0.9):
        self.momentum = momentum
        self.value = None

    def update(self, x):
        self.value = x if self.value is None else self.momentum * self.value + (1 - self.momentum) * x


def seconds_meter():
    return RunningMean(0.5)


device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
named = {"loss": RunningMean(), "time": RunningMean()}
times = defaultdict(RunningMean)
norms = {name: RunningMean() for name in ("weight", "bias")}
step_time = seconds_meter()

end = time.perf_counter()
for step in range(1000):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    for name, p in model.named_parameters():
        norms[name].update(p.grad.norm())
    opt.step()
    seconds = time.perf_counter() - end
    end = time.perf_counter()
    named["loss"].update(loss.detach())
    named["time"].update(seconds)
    times["step"].update(seconds)
    step_time.update(seconds)
    if step % 100 == 0:
        print(f"{named['time'].value:.3f} {times['step'].value:.3f} {step_time.value:.3f}")
        print(f"{named['loss'].value:.3f}")  # sync: host-read note
        print(float(norms["weight"].value))  # sync: host-read note
