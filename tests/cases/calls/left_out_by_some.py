"""Of a function that is called in so many ways that they are joined, what a call leaves out is its default, whatever the others give."""
import torch


def check(x, name, low=None, high=None, other=None, shape=None, kinds=None):
    if x is None:
        return None
    if kinds is not None:
        if isinstance(x, torch.Tensor):
            if x.dtype not in kinds:
                raise ValueError(name)
        elif type(x) not in kinds:
            raise ValueError(name)
    if low is not None:
        if (x < low).any():  # sync: tensor-truth
            raise ValueError(name)
    if shape is not None:
        for i, n in enumerate(shape):
            if n >= 0 and n != x.shape[i]:
                raise ValueError(name)
    if other is None:
        return x.sum().item()  # sync: host-read
    return x


def run(x, flag, scale: float, text: str):
    for step in range(100):
        check(x, "a", low=0, other=1.0)
        check(x, "b", low=0.5, other=scale)
        check(x, "c", low=scale, other=text)
        check(x, text, low=1, other=True, shape=(3,))
        check(x, "e", other="text", shape=(-1,))
        check(x, "f", low=2, other=(1, 2), kinds=(torch.float32,))
        check(x, text, low=2, other=3)
        if flag:
            check(x, "g", low=3)


run(torch.ones(3, device="cuda"), True, 2.0, "name")
