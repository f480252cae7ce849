"""NumPy takes no GPU tensor: what stands below such a call is reached on a machine without a GPU only."""
import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def observe(n):
    return torch.rand(n, device=device)


def show(values):
    print(values.max().item())


best = []
values = observe(8)
for step in range(20):
    print(values.sum().item())  # sync: host-read
    top = np.ma.masked_array(values, mask=values > 1).max()
    best.append(top)
    print(values.mean().item())
    show(values)
    values = torch.cat([values, observe(1)])


def trace(steps):
    loss = torch.zeros((), device=device)
    for _ in range(steps):
        loss = loss * 0.9 + torch.rand((), device=device)
        try:
            np.asarray(loss)
        except TypeError:
            steps -= 1
        kept = [np.array(loss) for _ in range(0)] or (np.array(loss) if steps < 0 else None)
        print(kept, loss.item())  # sync: host-read
        both = loss if steps > 3 else loss.cpu()  # sync: copy-to-host
        print(np.array(both), loss.item())  # sync: host-read


trace(10)
