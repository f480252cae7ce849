import torch
from torch.utils.data import DataLoader, Dataset


class Boxes(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, i):
        return {"img": torch.rand(3, 8, 8), "boxes": torch.rand(5, 6)}


def loader():
    return DataLoader(Boxes(), batch_size=2, pin_memory=False)
