"""Batches moved from pinned memory without waiting."""
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 16), torch.randint(0, 4, (64,)))
model = torch.nn.Linear(16, 4).cuda()
for x, y in DataLoader(data, batch_size=8, pin_memory=True, num_workers=2):
    x = x.cuda(non_blocking=True)
    y = y.to("cuda", non_blocking=True)
    torch.nn.functional.cross_entropy(model(x), y).backward()
