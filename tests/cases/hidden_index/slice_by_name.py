"""slice() by name is a slice: a bound on the GPU is read where it indexes, host bounds are not."""
import torch

dev = torch.device("cuda")
x = torch.randn(64, 8, device=dev)
names = ["a", "b", "c", "d"]
for step in range(100):
    end = x[0].argmax()
    window = slice(0, end)
    v = x[window]  # sync: host-read
    w = names[slice(end)]  # missed: host-read
    fixed = slice(0, 4)
    a = x[fixed]
    b = x[slice(2)]
    c = x[[slice(None), 3]]
    d = names[slice(1, 3)]
    for n, row in enumerate(names, end):  # sync: host-read
        pass
    for n, row in enumerate(names, 1):
        pass
