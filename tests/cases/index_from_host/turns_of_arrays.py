"""What a loop over a NumPy array gives is a number there and indexes as one; a part that is cut out of it is an array."""
import numpy as np
import torch


def visit(x, groups):
    order = torch.argsort(x[:, 0])
    lists = []
    for i in list(order[0,].cpu().numpy()):  # sync: copy-to-host
        known = [group for group in groups if i in group]
        lists.append(known[0] if known else [i])
    for several in lists:
        for i in several:
            x[:, i] = 1


def batches(x, chosen, size):
    for rows in np.array_split(chosen, size):
        x[rows] += 1  # sync: index-from-host
    for start in range(0, len(chosen), size):
        part = chosen[start : start + size]
        x[:, part] = x[:, part] + 1  # sync: index-from-host x2


x = torch.zeros(10, 10, device="cuda")
for step in range(100):
    visit(x, [[1, 2], [3, 4]])
    batches(x, np.random.permutation(10), 5)
