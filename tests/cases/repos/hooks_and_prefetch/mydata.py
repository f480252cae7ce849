import torch
from torch.utils.data import Dataset


class Images(Dataset):
    def __len__(self):
        return 100

    def __getitem__(self, i):
        return torch.rand(3, 32, 32), i % 10
