"""A condition that says "the last turn" holds once in its loop, however it is written: through a kept enumeration, a sum, a flag
that was computed before, a caller's argument."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8, pin_memory=True)


def train_on(x):
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def kept_enumerations(show):
    for epoch in range(10):
        batches = enumerate(loader)
        if show:
            batches = tqdm(batches, total=len(loader))
        for i, (x,) in batches:
            loss = train_on(x)
            if i == len(loader) - 1:
                print(loss.item())  # sync: host-read note likely
            if i > 3:
                print(loss.item())  # sync: host-read


def sums_and_flags():
    count = len(loader)
    for epoch in range(10):
        for i, (x,) in enumerate(loader):
            loss = train_on(x)
            if count == i + 1:
                print(loss.item())  # sync: host-read note likely
            last = i + 1 == count
            if last:
                print(loss.item())  # sync: host-read note likely
            if last or i % 10 == 0:
                print(loss.item())  # sync: host-read note certain
            if not last:
                print(loss.item())  # sync: host-read


def until_a_flag(steps):
    step = 0
    while True:
        last = step == steps
        if last or step % 100 == 0:
            print(train_on(torch.randn(4, 8, device="cuda")).item())  # sync: host-read note
        if last:
            print(train_on(torch.randn(4, 8, device="cuda")).item())
            break
        loss = train_on(torch.randn(4, 8, device="cuda"))
        print(loss.item())  # sync: host-read
        step += 1


class Logger:
    def __init__(self, every):
        self.every = every

    def log(self, loss, step, last=False):
        if last or step % self.every == 0:
            print(loss.item())  # sync: host-read note

    def close(self, loss, last):
        if last:
            print(loss.item())  # sync: host-read note

    def mixed(self, loss, last):
        if last:
            print(loss.item())  # sync: host-read

    @staticmethod
    def due(loss, due):
        if not due:
            return
        print(loss.item())  # sync: host-read note


def through_parameters(logger):
    for step, (x,) in enumerate(loader):
        loss = train_on(x)
        logger.log(loss, step, last=step == len(loader) - 1)
        logger.close(loss, step == len(loader) - 1)
        logger.mixed(loss, step == len(loader) - 1)
        logger.mixed(loss, step > 3)
        logger.due(loss, step % 20 == 0)


kept_enumerations(True)
sums_and_flags()
until_a_flag(1000)
through_parameters(Logger(50))
