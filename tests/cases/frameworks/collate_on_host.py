"""Lengths, masks and padding made by the collate function, in workers."""
import torch
from torch.utils.data import DataLoader
def collate(samples):
    lengths = torch.tensor([len(s) for s in samples])
    width = int(lengths.max().item())
    batch = torch.zeros(len(samples), width)
    for i, s in enumerate(samples):
        batch[i, : lengths[i]] = s
    return batch, lengths.tolist(), (batch != 0).nonzero()


model = torch.nn.LSTM(1, 8).cuda()
data = DataLoader([torch.rand(n) for n in range(1, 64)], batch_size=8, collate_fn=collate, pin_memory=True)
for batch, lengths, places in data:
    x = batch.cuda(non_blocking=True)
    model(x[..., None])[0].sum().backward()
    print(max(lengths), x.shape)
