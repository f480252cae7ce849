"""The prefetcher of apex's ImageNet example, and what goes wrong when a line of it is lost."""
import torch
import torch.nn as nn
import torchvision


class DataPrefetcher:
    """As published: waits on the GPU, and tells the allocator."""

    def __init__(self, loader):
        self.loader = iter(loader)
        self.stream = torch.cuda.Stream()
        self.mean = torch.tensor([0.485 * 255, 0.456 * 255, 0.406 * 255]).cuda().view(1, 3, 1, 1)
        self.preload()

    def preload(self):
        try:
            self.next_input, self.next_target = next(self.loader)
        except StopIteration:
            self.next_input = None
            self.next_target = None
            return
        with torch.cuda.stream(self.stream):
            self.next_input = self.next_input.cuda(non_blocking=True)
            self.next_target = self.next_target.cuda(non_blocking=True)
            self.next_input = self.next_input.float()
            self.next_input = self.next_input.sub_(self.mean)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        input = self.next_input
        target = self.next_target
        if input is not None:
            input.record_stream(torch.cuda.current_stream())
        if target is not None:
            target.record_stream(torch.cuda.current_stream())
        self.preload()
        return input, target


class RacyPrefetcher:
    """Without wait_stream."""

    def __init__(self, loader):
        self.loader = iter(loader)
        self.stream = torch.cuda.Stream()
        self.preload()

    def preload(self):
        try:
            batch, self.target = next(self.loader)
        except StopIteration:
            self.batch = None
            return
        with torch.cuda.stream(self.stream):
            self.batch = batch.cuda(non_blocking=True).float()

    def next(self):
        batch, target = self.batch, self.target
        self.preload()
        return batch, target


def loader():
    data = torchvision.datasets.FakeData(transform=torchvision.transforms.ToTensor())
    return torch.utils.data.DataLoader(data, batch_size=64, pin_memory=True)


def train(model, criterion, optimizer):
    prefetcher = DataPrefetcher(loader())
    input, target = prefetcher.next()
    while input is not None:
        loss = criterion(model(input), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        input, target = prefetcher.next()


def train_racy(model, criterion, optimizer):
    prefetcher = RacyPrefetcher(loader())
    batch, target = prefetcher.next()
    while batch is not None:
        output = model(batch)  # sync: stream-race
        loss = criterion(output, target.cuda(non_blocking=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        batch, target = prefetcher.next()


def main():
    model = torchvision.models.resnet18().cuda()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, criterion, optimizer)
    train_racy(model, criterion, optimizer)


main()
