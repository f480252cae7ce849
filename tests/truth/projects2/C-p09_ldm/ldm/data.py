import math

import torch
from torch.utils.data import Dataset


class Shapes(Dataset):
    """class = (shape, texture); colours and positions are random"""

    def __init__(self, n, size=32, n_classes=6, seed=0):
        self.size, self.n_classes = size, n_classes
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, n_classes, (n,), generator=g)
        self.params = torch.rand(n, 10, generator=g)
        ys, xs = torch.meshgrid(torch.linspace(-1, 1, size), torch.linspace(-1, 1, size), indexing="ij")
        self.xs, self.ys = xs, ys

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        p, c = self.params[i], int(self.labels[i])
        x, y = self.xs - (p[0] - 0.5), self.ys - (p[1] - 0.5)
        r = 0.3 + 0.3 * p[2]
        shape, tex = c % 3, c // 3
        if shape == 0:
            m = (x ** 2 + y ** 2 < r ** 2)
        elif shape == 1:
            m = (x.abs() < r) & (y.abs() < r)
        else:
            m = (x.abs() + y.abs() < r * 1.2)
        m = m.float()
        if tex == 1:
            m = m * (0.6 + 0.4 * torch.sin((x + y) * 6 * math.pi * (0.5 + p[9])))
        fg, bg = p[3:6].view(3, 1, 1), 0.4 * p[6:9].view(3, 1, 1)
        return (fg * m + bg * (1 - m)) * 2 - 1, c
