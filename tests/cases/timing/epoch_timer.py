"""Timers around epochs, data loading and CPU work: right, or so long that what a queue holds is nothing."""
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
model = nn.Linear(128, 10).to(device)
optimizer = torch.optim.AdamW(model.parameters())
data = torch.utils.data.TensorDataset(torch.randn(4096, 128), torch.randint(0, 10, (4096,)))
loader = torch.utils.data.DataLoader(data, batch_size=64, pin_memory=True)

for epoch in range(10):
    began = time.time()
    total = torch.zeros((), device=device)
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    mean = total.item() / len(loader)  # sync: host-read note
    print(f"epoch {epoch}: {mean:.4f} in {time.time() - began:.1f} s")

for epoch in range(10):
    began = time.time()
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    print(f"epoch {epoch} in {time.time() - began:.1f} s")

fetched = time.perf_counter()
for x, y in loader:
    waited = time.perf_counter() - fetched
    x = x.to(device, non_blocking=True)
    F.cross_entropy(model(x), y.to(device, non_blocking=True)).backward()
    optimizer.step()
    fetched = time.perf_counter()

t0 = time.perf_counter()
checkpoint = {name: list(value.shape) for name, value in model.named_parameters()}
text = str(sorted(checkpoint)) * 100
print("summary took", time.perf_counter() - t0, len(text))


def train_epoch():
    model.train()
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        F.cross_entropy(model(x), y).backward()
        optimizer.step()


def fit():
    began = time.time()
    train_epoch()
    print(f"trained in {time.time() - began:.1f} s")


def warm_up():
    began = time.time()
    for _ in range(3):
        model(torch.randn(64, 128, device=device))
    print(f"warm after {time.time() - began:.1f} s")  # sync: timer-unsynced


fit()
warm_up()
