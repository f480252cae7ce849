"""The message of an assertion is made when it fails."""
import torch

x = torch.randn(64, 64, device="cuda")
for step in range(100):
    x = x @ x
    assert x.shape[0] == 64, f"bad {x.max()} {x.mean().item()}"
    assert len(x) == 64, (x.sum().item(), "rows")


def cached(function):
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    return call


@cached
def grid(shape: tuple, size: float, like: torch.Tensor):
    y = torch.arange(shape[0], device=like.device) * size
    if size > 1:
        y = y * 2
    return y @ y


for step in range(100):
    grid((3, 4), 0.5, x)
