"""Batches moved from pageable memory."""
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 16), torch.randint(0, 4, (64,)))
model = torch.nn.Linear(16, 4).cuda()
for x, y in DataLoader(data, batch_size=8):
    x = x.cuda()  # sync: copy-to-device
    y = y.to("cuda")  # sync: copy-to-device
    torch.nn.functional.cross_entropy(model(x), y).backward()
