"""make_graphed_callables and torch.compile with CUDA graphs: waits inside count, waits of what is compiled plainly do not."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(256, 256)

    def forward(self, x):
        y = self.proj(x)
        if y.abs().max() > 100:  # sync: graph-capture-wait error, tensor-truth
            y = y.clamp(-100, 100)
        return y


class Pruner(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(256, 256)

    def forward(self, x):
        y = self.proj(x)
        return y[y > 0].sum()  # sync: compiled-wait, dynamic-shape


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(256, 256)

    def forward(self, x):
        y = self.proj(x)
        return y[y > 0].sum()  # sync: dynamic-shape


@torch.compile(mode="reduce-overhead")
def normalised(v):
    scale = v.norm().item()  # sync: compiled-wait, host-read
    return v / scale


@torch.compile
def plainly(v):
    return v / v.norm().clamp_min(1e-6)


def main():
    x = torch.randn(64, 256, device="cuda")
    gate = torch.cuda.make_graphed_callables(Gate().cuda(), (x,))
    pruner = torch.compile(Pruner().cuda(), mode="reduce-overhead")
    plain = torch.compile(Plain().cuda())
    total = torch.zeros((), device="cuda")
    for step in range(1000):
        total += gate(x).sum() + pruner(x) + plain(x) + normalised(x).sum() + plainly(x).sum()
        total += F.relu(x).sum()
    print(total.item())


main()
