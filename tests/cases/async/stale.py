"""Copies to the host that nobody waited for, and those that somebody did."""
import numpy as np
import torch

model = torch.nn.Linear(128, 128).cuda()
x = torch.randn(64, 128, device="cuda")
host = torch.empty(64, 128, pin_memory=True)
copied = torch.cuda.Event()


def moved(values):
    return values.detach().to("cpu", non_blocking=True)


def stats(values):
    return float(values.mean()), values.shape  # sync: stale-read


history = []
for step in range(1000):
    out = model(x)
    rows = moved(out)
    history.append(stats(rows))

for step in range(1000):
    out = model(x)
    rows = moved(out)
    torch.cuda.current_stream().synchronize()  # sync: explicit-sync
    history.append((float(rows.mean()), rows.shape))

for step in range(1000):
    out = model(x)
    if step:
        copied.synchronize()  # sync: explicit-sync note
        history.append(host.numpy().mean())
    host.copy_(out.detach(), non_blocking=True)
    copied.record()

for step in range(1000):
    host.copy_(model(x).detach(), non_blocking=True)
    array = np.asarray(host)  # sync: stale-read
    history.append(array.shape)

for step in range(1000):
    host.copy_(model(x).detach(), non_blocking=True)
    copied.record()
    while not copied.query():
        pass
    history.append(host[0, 0].item())

outs = [moved(model(x)) for _ in range(100)]
torch.cuda.synchronize()
table = torch.stack(outs).mean(0)
device_again = outs[0].to("cuda", non_blocking=True)


class Cache:
    """Offloads to the host between calls; what a kernel gets is on the GPU."""

    def __init__(self):
        self.state = torch.zeros(64, 128, device="cuda")

    def offload(self):
        self.state = self.state.to("cpu", non_blocking=True)

    def fetch(self):
        self.state = self.state.to("cuda", non_blocking=True)

    def update(self, rows):
        self.state = torch.cat([self.state, rows])[-64:]


cache = Cache()
for step in range(1000):
    cache.fetch()
    cache.update(model(x))
    cache.offload()
