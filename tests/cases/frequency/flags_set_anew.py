"""A flag that is set anew in each turn: what it was before the loop, or behind the branch, does not reach the branch."""
import torch
from torch.utils.data import DataLoader


def train(model, optimizer, loader, every):
    last = False
    for step, x in enumerate(loader):
        loss = model(x.cuda(non_blocking=True)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        last = step % every == 0
        if last:
            print(loss.item())  # sync: host-read note
        last = not last
        if last:
            print(loss.item())  # sync: host-read


def train_twice(model, optimizer, loader, every):
    for step, x in enumerate(loader):
        loss = model(x.cuda(non_blocking=True)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log = step % every == 0
        if log:
            print(loss.item())  # sync: host-read note
        if step > 100:
            log = True
        if log:
            print(loss.item())  # sync: host-read


data = DataLoader(torch.randn(640, 8), batch_size=4, pin_memory=True)
net = torch.nn.Linear(8, 8).cuda()
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
train(net, sgd, data, 50)
train_twice(net, sgd, data, 50)
