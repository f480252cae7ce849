"""The usual prefetcher class with a side stream, beside a convolutional network."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Prefetcher:
    def __init__(self, loader):
        self.loader = loader
        self.stream = torch.cuda.Stream()

    def fetch(self, batches):
        batch = next(batches, None)
        if batch is None:
            return None
        with torch.cuda.stream(self.stream):
            return [t.cuda(non_blocking=True) for t in batch]

    def __iter__(self):
        batches = iter(self.loader)
        upcoming = self.fetch(batches)
        while upcoming is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
            current = upcoming
            for tensor in current:
                tensor.record_stream(torch.cuda.current_stream())
            upcoming = self.fetch(batches)
            yield current


def main():
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(4096, 3, 64, 64), torch.randint(0, 10, (4096,)))
    loader = DataLoader(data, batch_size=128, shuffle=True, pin_memory=True, drop_last=True)
    model = nn.Sequential(
        nn.Conv2d(3, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 128, 3, 2, 1), nn.ReLU(),
        nn.Conv2d(128, 256, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 10)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    running = 0.0
    for epoch in range(1000000):
        for images, labels in Prefetcher(loader):
            loss = F.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            torch.cuda.synchronize()
            optimizer.step()
            running += loss.item()


if __name__ == "__main__":
    main()
