"""What the body of a class makes runs only where an object of the class does."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Log:
    def on_loss(self, x):
        print(x.item())  # sync: host-read


class NanGuard:
    def on_loss(self, x):
        assert not x.isnan()  # sync: tensor-truth note


class Trainer:
    extra = ()

    def __init__(self):
        self.hooks = [Log(), *self.extra]

    def fire(self, name, x):
        for hook in self.hooks:
            getattr(hook, name)(x)


class Debugger(Trainer):
    extra = (NanGuard(),)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--debug", action="store_true")
    args = parser.parse_args()
    maker = Debugger if args.debug else Trainer
    trainer, model = maker(), nn.Linear(8, 8).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for x, y in DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8)), pin_memory=True):
        loss = model(x.cuda(non_blocking=True)).mean()
        trainer.fire("on_loss", loss.detach())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
