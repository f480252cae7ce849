import torch
from torch.utils.data import DataLoader, TensorDataset


def batches(cfg):
    data = TensorDataset(torch.rand(64, 8), torch.randint(0, 2, (64,)))
    loader = DataLoader(data, batch_size=8, pin_memory=True)
    while True:
        for batch in loader:
            yield batch
