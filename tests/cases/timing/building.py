"""A clock around a model's making measures host work: what its layers fill queues little, under meta nothing."""
import time

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, width)
        self.scale = nn.Parameter(torch.ones(width, device="cuda"))
        steps = torch.arange(width, device="cuda").float()
        self.register_buffer("table", torch.outer(steps, steps.reciprocal()))

    def forward(self, x):
        return self.proj(x) * self.scale


class Model(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def main():
    start = time.perf_counter()
    model = Model(12, 1024).cuda()
    print(f"Time to instantiate model: {time.perf_counter() - start:.2f} seconds.")
    start = time.perf_counter()
    with torch.device("meta"):
        other = Model(12, 1024)
    print(f"Time to instantiate model: {time.perf_counter() - start:.2f} seconds.")
    x = torch.randn(8, 1024, device="cuda")
    for step in range(100):
        start = time.perf_counter()
        x = model(x)
        print(f"forward {time.perf_counter() - start:.4f}")  # sync: timer-unsynced


if __name__ == "__main__":
    main()
