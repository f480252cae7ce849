"""The read stands in a helper; the loop that makes it hot stands elsewhere."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def accuracy(output, target):
    with torch.no_grad():
        pred = output.argmax(dim=1)
        return (pred == target).float().mean().item()  # sync: host-read


class Meter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def average(self):
        return self.sum / max(1, self.count)


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(1024, 20), torch.randint(0, 3, (1024,)))
    loader = DataLoader(data, batch_size=64, pin_memory=True, num_workers=2)
    model = nn.Linear(20, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss().to(device)
    meter = Meter()
    for epoch in range(5):
        for images, target in loader:
            images = images.to(device, non_blocking=True)
            target = target.to(device, non_blocking=True)
            output = model(images)
            loss = criterion(output, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            meter.update(accuracy(output, target), images.size(0))
        print(epoch, meter.average)


if __name__ == "__main__":
    main()
