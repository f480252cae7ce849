"""Batches by accelerate, iterators, progress bars, dicts of loaders."""
import itertools
import torch
import torch.nn as nn
from accelerate import Accelerator
from torch.utils.data import DataLoader, Dataset, TensorDataset
from tqdm import tqdm
from tqdm.auto import tqdm as bar
import tqdm as tq

data = TensorDataset(torch.randn(1000, 3, 8, 8), torch.randint(0, 10, (1000,)))
model = nn.Conv2d(3, 4, 3, padding=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(data, batch_size=32, pin_memory=True)
accelerator = Accelerator()
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for x, y in loader:  # sync: copy-to-device
    model(x) + 1  # is: cuda float (32, 4, 8, 8)
val = accelerator.prepare(DataLoader(data, batch_size=64))
for i, (x, y) in enumerate(tqdm(val, desc="val"), 1):
    model(x) + 1  # is: cuda float (64, 4, 8, 8)
val2 = accelerator.prepare_data_loader(DataLoader(data, batch_size=16))
for x, y in bar(val2):
    model(x) + 1  # is: cuda float (16, 4, 8, 8)
own = nn.Conv2d(3, 4, 3, padding=1).cuda()
it = iter(DataLoader(data, batch_size=24, pin_memory=True))
for step in range(100):
    try:
        x, y = next(it)
    except StopIteration:
        it = iter(DataLoader(data, batch_size=24, pin_memory=True))
        x, y = next(it)
    own(x.cuda(non_blocking=True)) + 1  # is: cuda float (24, 4, 8, 8)
endless = itertools.cycle(DataLoader(data, batch_size=12, pin_memory=True))
for step in range(100):
    x, y = next(endless)
    own(x.cuda(non_blocking=True)) + 1  # is: cuda float (12, 4, 8, 8)
for (x, y), (z, w) in zip(DataLoader(data, batch_size=8, pin_memory=True), itertools.cycle(DataLoader(data, batch_size=4, pin_memory=True))):
    own(x.cuda(non_blocking=True)) + 1  # is: cuda float (8, 4, 8, 8)
    own(z.cuda(non_blocking=True)) + 1  # is: cuda float (4, 4, 8, 8)
loaders = {"train": DataLoader(data, batch_size=40, pin_memory=True), "val": DataLoader(data, batch_size=40, pin_memory=True)}
for phase in ["train", "val"]:
    for x, y in loaders[phase]:
        own(x.cuda(non_blocking=True)) + 1  # is: cuda float (40, 4, 8, 8)
progress = tqdm(enumerate(loaders["train"]), total=len(loaders["train"]))
for i, batch in progress:
    x, y = batch
    own(x.cuda(non_blocking=True)) + 1  # is: cuda float (40, 4, 8, 8)
for batch in tq.tqdm(loaders["train"]):
    own(batch[0].cuda(non_blocking=True)) + 1  # is: cuda float (40, 4, 8, 8)
for step, batch in zip(range(10), loaders["train"]):
    own(batch[0].cuda(non_blocking=True)) + 1  # is: cuda float (40, 4, 8, 8)
