from torch.utils.data import DataLoader
from datasets import load_points


def loader():
    return DataLoader(load_points(), batch_size=4, pin_memory=True)
