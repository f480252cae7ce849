"""What a turn skips by `continue` or `return` runs as often as the condition lets it by, as in a branch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8, pin_memory=True)


def train_on(x):
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def log(loss, step, every=50):
    if step % every != 0:
        return
    print(loss.item())  # sync: host-read note


def log_all(loss, step):
    if step < 3:
        return
    print(loss.item())  # sync: host-read


for step, (x,) in enumerate(loader):
    loss = train_on(x)
    log(loss, step)
    log_all(loss, step)
    with torch.no_grad():
        if step % 10:
            continue
        print(loss.item())  # sync: host-read note
    print(loss.max().item())  # sync: host-read note
    if step % 100 == 0:
        print(loss.min().item())  # sync: host-read note
    else:
        continue
    print(loss.sum().item())  # sync: host-read note

for step, (x,) in enumerate(loader):
    loss = train_on(x)
    if step % 10 == 0:
        continue
    print(loss.item())  # sync: host-read

for step, (x,) in enumerate(loader):
    loss = train_on(x)
    if step != 5:
        continue
    print(loss.item())
