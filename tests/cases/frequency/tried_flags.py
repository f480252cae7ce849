"""A flag of the module that is set where a `try` succeeds is set by default, unless another package is tried; what code puts on an object
of an open class is its default; and an operation goes backward only where it is applied."""
import torch
from torch import nn
from torch.utils.cpp_extension import load

FAST = False
try:
    ops = load(name="ops", sources=["ops.cpp"])
    FAST = True
except Exception as error:
    FAST = False
    print(error)

try:
    import flash
    FLASH = True
except ImportError:
    FLASH = False


class Options:
    """What a run is told."""


class Slow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.mean().item()  # sync: host-read note

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x.mean().item()  # sync: host-read note


def product(x, options):
    if not options.slow and FAST:
        return ops.product(x)
    return Slow.apply(x)


def attend(x):
    if FLASH:
        return flash.attend(x)
    return x * x.std().item()  # sync: host-read


def main():
    options = Options()
    options.slow = False
    model = nn.Linear(8, 8).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    for _ in range(1000):
        loss = attend(product(model(torch.randn(16, 8, device="cuda")), options)).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


main()
