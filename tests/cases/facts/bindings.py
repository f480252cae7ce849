"""Rebinding, joins, containers and unpacking."""
import torch

x = torch.randn(4, device="cuda")
c = torch.randn(4)
total = 0
for _ in range(3):
    total += x.sum()
total  # is: number | cuda float scalar
pair = (x, 3)
first, second = pair
first  # is: cuda float
second  # is: number
d = {"a": x, "b": c, "n": 1}
d["a"]  # is: cuda float
d["b"]  # is: cpu float
d["n"]  # is: number
items = [t * 2 for t in (x, x)]
items[0]  # is: cuda float
x = x.cpu()
x  # is: cpu float
maybe = None
if len(items) > 1:
    maybe = torch.ones(2, device="cuda")
maybe  # is: None | cuda float
if maybe is not None:
    maybe  # is: cuda float


def scale(t, by=2.0):
    return t * by


scale(c)  # is: cpu float
