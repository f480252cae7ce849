import torch
from torch.utils.data import DataLoader, Dataset


class Points(Dataset):
    def __init__(self, n):
        self.x = torch.randn(n, 16)
        self.y = torch.randint(0, 4, (n,))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i].item()


def collate(samples):
    xs = torch.stack([s[0] for s in samples])
    ys = torch.tensor([s[1] for s in samples])
    if xs.max().item() > 100:
        print(xs)
    return xs, ys


def make_loader():
    return DataLoader(Points(1000), batch_size=32, num_workers=4, collate_fn=collate, pin_memory=True)
