"""Where the gradients of several batches add up, what stands beside the optimizer's step runs every training step, and what stands
before it every batch. Where a step is taken in each turn, or none goes backward but those that step, a guard means what it says."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8, pin_memory=True)


def loss_of(x):
    return model(x).square().mean()


def early(count):
    step = 0
    for i, (x,) in enumerate(loader):
        loss = loss_of(x) / count
        loss.backward()
        print(loss.item())  # sync: host-read
        if (i + 1) % count:
            continue
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        print(loss.item())  # sync: host-read
        if step % 100 == 0:
            print(loss.item())  # sync: host-read note


def branch(count):
    for i, (x,) in enumerate(loader):
        loss = loss_of(x) / count
        loss.backward()
        print(loss.item())  # sync: host-read
        if (i + 1) % count == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
            print(loss.item())  # sync: host-read


def nested(count):
    batches = iter(loader)
    for step in range(1000):
        for _ in range(count):
            (x,) = next(batches)
            loss = loss_of(x)
            loss.backward()
            print(loss.item())  # sync: host-read
        optimizer.step()
        optimizer.zero_grad()
        print(loss.item())  # sync: host-read


def two_optimizers(other):
    for i, (x,) in enumerate(loader):
        loss = loss_of(x)
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: host-read
        if i % 5 == 0:
            loss = loss_of(x)
            loss.backward()
            other.step()
            print(loss.item())  # sync: host-read note


def updates(env):
    for i in range(10000):
        action = model(torch.randn(4, 8, device="cuda")).argmax()
        env.step(action.item())  # sync: host-read
        if i % 64 == 0:
            loss = loss_of(torch.randn(4, 8, device="cuda"))
            loss.backward()
            optimizer.step()
            print(loss.item())  # sync: host-read note


early(4)
branch(4)
nested(4)
two_optimizers(torch.optim.Adam(model.parameters()))
updates(object())
