"""non_blocking from what memory, and who pins it."""
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(4096, 128), torch.randint(0, 10, (4096,)))
model = torch.nn.Linear(128, 10).cuda()
device = next(model.parameters()).device


def collate(rows):
    xs, ys = zip(*rows)
    return torch.stack(xs).pin_memory(), torch.tensor(ys)


for x, y in DataLoader(data, batch_size=64):
    x = x.to(device, non_blocking=True)  # sync: pageable-async note
    model(x)

for x, y in DataLoader(data, batch_size=64, pin_memory=True):
    x = x.to(device, non_blocking=True)
    model(x)

for x, y in DataLoader(data, batch_size=64, collate_fn=collate, num_workers=4):
    model(x.cuda())  # sync: copy-to-device

for x, y in DataLoader(data, batch_size=64):
    x = x.pin_memory().to(device, non_blocking=True)  # sync: pin-per-step note
    model(x)

staging = torch.empty(64, 128, pin_memory=True)
for x, y in DataLoader(data, batch_size=64):
    staging.copy_(x)
    model(staging.to(device, non_blocking=True))
    scale = torch.tensor([1.0, 2.0]).to(device, non_blocking=True)
