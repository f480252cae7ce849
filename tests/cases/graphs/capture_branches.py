# options: --min-confidence possible
"""A capture that meets a wait fails at once: what stands behind a branch is not met, or nobody would have kept the program."""
import torch
import torch.nn as nn


def lengths_of(grid, known=None):
    values = grid.tolist() if known is None else known  # sync: graph-capture-wait possible
    return [int(n) for n in values]


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(64, 64)

    def table(self, device):
        if not hasattr(self, "freqs"):
            self.register_buffer("freqs", torch.arange(64).float().to(device))  # sync: graph-capture-wait possible
        return self.freqs

    def prepare(self, grid, limit=None):
        if limit is None:
            limit = int(grid.max().item())  # sync: graph-capture-wait possible
        return limit

    def forward(self, x, grid, prepared=None):
        if prepared is None:
            prepared = self.prepare(grid), lengths_of(grid)
        y = self.proj(x) * self.table(x.device)
        print("mean", y.mean())  # sync: graph-capture-wait error
        return y[: prepared[0]]


tower = Tower().cuda()
images = torch.randn(32, 64, device="cuda")
grid = torch.ones(3, dtype=torch.long, device="cuda")
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    static = tower(images, grid, tower.known)
for _ in range(100):
    graph.replay()
