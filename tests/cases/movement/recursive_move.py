"""A helper that walks a nested batch and moves every tensor."""
import torch
from torch.utils.data import DataLoader, TensorDataset

def to_device(batch, device):
    if isinstance(batch, dict):
        return {k: to_device(v, device) for k, v in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [to_device(v, device) for v in batch]
    return batch.to(device)  # sync: copy-to-device


data = TensorDataset(torch.randn(64, 16), torch.randint(0, 4, (64,)))
model = torch.nn.Linear(16, 4).cuda()
for batch in DataLoader(data, batch_size=8):
    x, y = to_device(batch, "cuda")
    torch.nn.functional.cross_entropy(model(x), y).backward()
