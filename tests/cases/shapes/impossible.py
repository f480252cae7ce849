"""Sizes that nothing has are unknown sizes: negative, in fractions, larger than any memory, of no step and no operand."""
import torch
import torch.nn as nn

x = torch.randn(32, 16, device="cuda")
for step in range(1000):
    a = torch.zeros(-1, device="cuda")  # is: cuda float
    b = torch.zeros(10**9, 10**9, device="cuda")  # is: cuda float
    c = torch.zeros(16 // 0, 1 << 200, device="cuda")  # is: cuda float
    d = x.view(7, -1)  # is: cuda float
    e = x.expand(10**6, 10**6, 32, 16)  # is: cuda float
    f = x.repeat(-2, 5)  # is: cuda float
    g = x.chunk(0)[0]  # is: cuda float
    h = torch.einsum("ijk,kl->ijl", x, x)  # is: cuda float
    i = torch.arange(0, 10, 0, dtype=torch.float, device="cuda")  # is: cuda float
    j = torch.stack([x] * 10**12)  # is: cuda float
    k = nn.Conv2d(1, 4, 99, device="cuda")(x[None, None])  # is: cuda float
    m = nn.Linear(2**62, 2**62, device="cuda")(x)  # is: cuda float
    n = torch.zeros(len(range(0, 10, 0)), device="cuda")  # is: cuda float
    p = torch.zeros(2.5, 3.5, device="cuda")  # is: cuda float
    q = torch.zeros(2, 3, device="cuda")  # is: cuda float (2, 3)
