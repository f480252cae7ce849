"""A generator of training steps, stage by stage: a step is a turn of the loop over the steps of one stage; what
follows that loop is done after each stage."""
import torch
from torch import nn


class Trainer:
    def __init__(self, loader):
        self.model = nn.Linear(10, 10).cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.loader = loader

    def fit_stage(self, steps):
        batches = iter(self.loader)
        for _ in range(steps):
            loss = self.model(next(batches)).sum()
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            yield loss.item()  # sync: host-read

    def fit(self, steps: int):
        losses = []
        for stage in ("none", "positive", "negative"):
            for loss in self.fit_stage(steps):
                losses.append(loss)
                yield loss
            torch.cuda.synchronize()  # sync: explicit-sync note


def forever(loader, device=torch.device("cuda")):
    total = torch.zeros((), device=device)
    start = total.item()
    epoch = 0
    while True:
        for batch in loader:
            batch = batch.to(device)  # sync: copy-to-device
            total += batch.sum()
            yield batch
        epoch += 1
        print(epoch, total.item() - start)  # sync: host-read note


def train(loader):
    model = nn.Linear(10, 10).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for step, batch in zip(range(1000), forever(loader)):
        model(batch).sum().backward()
        optimizer.step()
