"""A trainer that is a module, for its count of steps to be saved: accelerate moves what it is handed, not the trainer."""
import torch
from torch import nn
from accelerate import Accelerator


def cycle(loader):
    while True:
        yield from loader


class Trainer(nn.Module):
    def __init__(self, net, optimizer, loader, steps):
        super().__init__()
        self.accelerator = Accelerator()
        self.net, self.optimizer, self.loader = self.accelerator.prepare(net, optimizer, loader)
        self.num_steps = steps
        self.register_buffer("step", torch.tensor(0))

    def forward(self):
        step = self.step.item()
        batches = cycle(self.loader)
        while step < self.num_steps:
            loss = self.net(next(batches))
            self.accelerator.backward(loss)
            self.optimizer.step()
            self.optimizer.zero_grad()
            if loss.item() < 0.1:  # sync: host-read
                break
            step += 1
            self.step.add_(1)


class MovedTrainer(nn.Module):
    def __init__(self, net, optimizer, loader, steps):
        super().__init__()
        self.accelerator = Accelerator()
        self.net, self.optimizer, self.loader = self.accelerator.prepare(net, optimizer, loader)
        self.num_steps = steps
        self.register_buffer("step", torch.tensor(0))
        self.to(self.accelerator.device)

    def train_step(self, batch):
        step = int(self.step.item())  # sync: host-read
        loss = self.net(batch)
        self.accelerator.backward(loss)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step.add_(1)
        return step
