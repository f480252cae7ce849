import torch
from torch.utils.data import DataLoader

__all__ = ['Dataset', 'DataBunch', 'get_imagewoof_like', 'normalize_to']


def normalize_to(train, valid):
    m, s = train.mean(), train.std()
    return (train - m) / s, (valid - m) / s


class Dataset():
    def __init__(self, x, y): self.x, self.y = x, y
    def __len__(self): return len(self.x)
    def __getitem__(self, i): return self.x[i], self.y[i]


class DataBunch():
    def __init__(self, train_dl, valid_dl, c=None): self.train_dl, self.valid_dl, self.c = train_dl, valid_dl, c
    @property
    def train_ds(self): return self.train_dl.dataset
    @property
    def valid_ds(self): return self.valid_dl.dataset


def get_imagewoof_like(n=640, nv=192, sz=28, c=10, bs=64, seed=42):
    g = torch.Generator().manual_seed(seed)
    protos = torch.randn(c, 1, sz, sz, generator=g)
    def mk(k):
        y = torch.randint(0, c, (k,), generator=g)
        return protos[y] * 0.5 + torch.randn(k, 1, sz, sz, generator=g), y
    (x_train, y_train), (x_valid, y_valid) = mk(n), mk(nv)
    x_train, x_valid = normalize_to(x_train, x_valid)
    return DataBunch(DataLoader(Dataset(x_train, y_train), bs, shuffle=True),
                     DataLoader(Dataset(x_valid, y_valid), bs * 2), c)
