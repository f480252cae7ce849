# options: --min-confidence possible
"""A clock around calls that nobody follows times those; only work that is known to be queued makes it wrong."""
import time

import torch
from torch import nn


def search(client, queries):
    for query in queries:
        start = time.time()
        hits = client.search(query)
        print(len(hits), time.time() - start)


class Meter:
    def __init__(self):
        self.last = time.perf_counter()

    def lap(self):
        now = time.perf_counter()
        taken, self.last = now - self.last, now
        return taken


def train(model: nn.Module, opt):
    meter = Meter()
    for _ in range(1000):
        loss = model(torch.randn(8, 8, device="cuda")).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(meter.lap())


def main():
    model = nn.Linear(8, 8).cuda()
    x = torch.randn(8, 8, device="cuda")
    torch.cuda.synchronize()
    start = time.perf_counter()
    y = model(x) @ model(x)
    print(time.perf_counter() - start, y.shape)  # sync: timer-unsynced
    train(model, torch.optim.SGD(model.parameters(), lr=0.1))
    search(print, ["a", "b"])


main()
