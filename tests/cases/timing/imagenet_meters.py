"""The meters of PyTorch's ImageNet example: each turn is counted from the last reading, so nothing is lost."""
import time

import torch
import torch.nn as nn
import torchvision


class AverageMeter:
    def __init__(self):
        self.sum, self.count, self.val = 0.0, 0, 0.0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n


def train(loader, model, criterion, optimizer, device):
    batch_time, data_time, losses = AverageMeter(), AverageMeter(), AverageMeter()
    model.train()
    end = time.time()
    for i, (images, target) in enumerate(loader):
        data_time.update(time.time() - end)
        images = images.to(device, non_blocking=True)
        target = target.to(device, non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        losses.update(loss.item(), images.size(0))  # sync: host-read
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        batch_time.update(time.time() - end)
        end = time.time()
        if i % 10 == 0:
            print(batch_time.sum / batch_time.count, data_time.val)


def main():
    device = torch.device("cuda")
    model = torchvision.models.resnet18().to(device)
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    data = torchvision.datasets.FakeData(transform=torchvision.transforms.ToTensor())
    loader = torch.utils.data.DataLoader(data, batch_size=64, pin_memory=True)
    for epoch in range(90):
        train(loader, model, criterion, optimizer, device)


if __name__ == "__main__":
    main()
