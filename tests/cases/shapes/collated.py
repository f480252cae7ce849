"""What functions that collate make of rows, however many."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

emb = nn.Embedding(30522, 64).cuda()


class Pairs(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return torch.zeros(20, dtype=torch.long), i


def appended(batch):
    xs, ys = [], []
    for x, y in batch:
        xs.append(x)
        ys.append(y)
    return torch.stack(xs), torch.tensor(ys)


def zipped(batch):
    xs, ys = zip(*batch)
    return torch.stack(xs), torch.tensor(ys)


def comp(batch):
    return {"x": torch.stack([b[0] for b in batch]), "y": torch.LongTensor([b[1] for b in batch])}


class Collator:
    def __init__(self, pad):
        self.pad = pad

    def __call__(self, batch):
        xs = [b[0] for b in batch]
        return torch.stack(xs), torch.tensor([b[1] for b in batch])


for size in (1,):
    for x, y in DataLoader(Pairs(1000), 16, collate_fn=appended, pin_memory=True):
        emb(x.cuda(non_blocking=True)) + 1  # is: cuda float (16, 20, 64)
        y.cuda(non_blocking=True) + 1  # is: cuda (16,)
    for x, y in DataLoader(Pairs(1000), 128, collate_fn=appended, pin_memory=True):
        emb(x.cuda(non_blocking=True)) + 1  # is: cuda float (128, 20, 64)
        y.cuda(non_blocking=True) + 1  # is: cuda (128,)
    for x, y in DataLoader(Pairs(1000), 32, collate_fn=zipped, pin_memory=True):
        emb(x.cuda(non_blocking=True)) + 1  # is: cuda float (32, 20, 64)
        y.cuda(non_blocking=True) + 1  # is: cuda (32,)
    for x, y in DataLoader(Pairs(1000), 256, collate_fn=zipped, pin_memory=True):
        emb(x.cuda(non_blocking=True)) + 1  # is: cuda float (256, 20, 64)
    for x, y in DataLoader(Pairs(1000), 256, collate_fn=Collator(0), pin_memory=True):
        emb(x.cuda(non_blocking=True)) + 1  # is: cuda float (256, 20, 64)
        y.cuda(non_blocking=True) + 1  # is: cuda (256,)
    for batch in DataLoader(Pairs(1000), 48, collate_fn=comp, pin_memory=True):
        emb(batch["x"].cuda(non_blocking=True)) + 1  # is: cuda float (48, 20, 64)
    for batch in DataLoader(Pairs(1000), 48, collate_fn=lambda rows: comp(rows), pin_memory=True):
        emb(batch["x"].cuda(non_blocking=True)) + 1  # is: cuda float (48, 20, 64)
