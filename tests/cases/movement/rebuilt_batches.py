"""What is moved part by part is made again as what it was, whatever that is."""
import torch
from torch.utils.data import DataLoader

from rows import PairRows
from zoo import build_model


class Results:
    def __init__(self):
        self.sums, self.step = {}, {}

    def add(self, name, value):
        self.step[name] = value.detach()
        self.sums[name] = self.sums.get(name, 0.0) + value.detach()

    def of_step(self):
        return {name: value.item() for name, value in self.step.items()}  # sync: host-read certain note

    def of_epoch(self):
        return {name: float(value) for name, value in self.sums.items()}  # sync: host-read certain note


class Trainer:
    def __init__(self, device="cuda"):
        self.device = torch.device(device)
        self.results = Results()

    def move(self, batch):
        if torch.is_tensor(batch):
            return batch.to(self.device)  # sync: copy-to-device
        if isinstance(batch, dict):
            return {key: self.move(part) for key, part in batch.items()}
        if isinstance(batch, (list, tuple)):
            return type(batch)(self.move(part) for part in batch)
        return batch

    def fit(self, model, loader, epochs):
        optimizer = torch.optim.Adam(model.parameters())
        for epoch in range(epochs):
            for step, batch in enumerate(loader):
                x, y = self.move(batch)
                loss = (x.flatten(1).mean(1) - y).abs().mean() + self.penalty(model)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                self.results.add("loss", loss)
                if step % 50 == 0:
                    print(self.results.of_step())
            print(self.results.of_epoch())

    def penalty(self, model):
        return 0.1 * sum(model.penalties())


def rebuild(rows):
    """No batch: its type makes lists of numbers again."""
    return rows.__class__(float(row) for row in rows)


def describe(numbers):
    for row in rebuild([1, 2, 3]):
        print(row)
    return type(numbers)(number + 1 for number in numbers)


describe((1, 2))
Trainer().fit(build_model(), DataLoader(PairRows("train"), batch_size=8), 5)
