"""Datasets, collate functions and samplers run on the CPU, often in workers."""
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, Sampler


class Speech(Dataset):
    def __init__(self, n):
        self.items = [torch.randn(np.random.randint(10, 50), 16) for _ in range(n)]
        self.mean = torch.stack([i.mean() for i in self.items]).mean().item()

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        item = self.items[index] - self.mean
        if item.abs().max() > 5:
            item = item.clamp(-5, 5)
        item = item[item.sum(1) != 0]
        return item, int(item.argmax()), item.shape[0]


def collate(batch):
    items, labels, lengths = zip(*batch)
    longest = max(lengths)
    padded = torch.zeros(len(items), longest, 16)
    for i, item in enumerate(items):
        padded[i, :len(item)] = item
    lengths = torch.tensor(lengths)
    assert lengths.max().item() == longest
    return padded, torch.tensor(labels), lengths


class ByLength(Sampler):
    def __init__(self, data):
        self.lengths = torch.tensor([len(i) for i in data.items])

    def __iter__(self):
        return iter(self.lengths.argsort().tolist())

    def __len__(self):
        return len(self.lengths)


data = Speech(200)
loader = DataLoader(data, batch_size=8, collate_fn=collate, sampler=ByLength(data), pin_memory=True, num_workers=4)
device = torch.device("cuda")
net = torch.nn.GRU(16, 32, batch_first=True).to(device)
opt = torch.optim.Adam(net.parameters())
for x, y, lengths in loader:
    longest = int(lengths.max())
    x = x[:, :longest].to(device, non_blocking=True)
    out, h = net(x)
    opt.zero_grad()
    out.pow(2).mean().backward()
    opt.step()
