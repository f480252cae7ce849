import torch
from torch.utils.data import Dataset


class TwoCrops(Dataset):
    def __len__(self):
        return 10000

    def __getitem__(self, i):
        x = torch.rand(512)
        return [x, x.flip(0)], i
