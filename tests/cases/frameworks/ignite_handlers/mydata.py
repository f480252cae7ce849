import torch
from torch.utils.data import Dataset


class Points(Dataset):
    def __init__(self, n):
        self.x = torch.randn(n, 8)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], int(self.x[i].sum() > 0)
