"""Meters of an image classifier: what one of them is fed with is no business of the others."""
import time

import torch
import torch.nn as nn
import torchvision


class AverageMeter:
    def __init__(self, name, fmt=":f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def accuracy(output, target):
    with torch.no_grad():
        correct = output.argmax(1).eq(target)
        return correct.float().sum() * (100.0 / target.size(0))


def train(loader, model, criterion, optimizer, epoch, device):
    batch_time = AverageMeter("Time", ":6.3f")
    losses = AverageMeter("Loss", ":.4e")
    top1 = AverageMeter("Acc@1", ":6.2f")
    model.train()
    end = time.time()
    for i, (images, target) in enumerate(loader):
        images = images.to(device, non_blocking=True)
        target = target.to(device, non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        losses.update(loss.item(), images.size(0))  # sync: host-read
        top1.update(accuracy(output, target), images.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        batch_time.update(time.time() - end)
        end = time.time()
        if i % 10 == 0:
            print(f"[{epoch}] {batch_time.avg:.3f} {losses.val:.4f} ({losses.avg:.4f})")
            print("acc %.2f" % top1.avg)  # sync: host-read note
    return losses.avg, top1.avg


def validate(loader, model, criterion, device):
    losses, top1 = AverageMeter("Loss"), AverageMeter("Acc@1")
    model.eval()
    with torch.no_grad():
        for images, target in loader:
            images, target = images.to(device, non_blocking=True), target.to(device, non_blocking=True)
            output = model(images)
            losses.update(criterion(output, target).item(), images.size(0))  # sync: host-read
            top1.update(accuracy(output, target).item(), images.size(0))  # sync: host-read
            print(f"{losses.val:.4f} {top1.val:.2f}")
    return top1.avg


def main():
    device = torch.device("cuda")
    model = torchvision.models.resnet18().to(device)
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    data = torchvision.datasets.FakeData(transform=torchvision.transforms.ToTensor())
    loader = torch.utils.data.DataLoader(data, batch_size=64, pin_memory=True)
    best = 0
    for epoch in range(90):
        loss, acc1 = train(loader, model, criterion, optimizer, epoch, device)
        if loss < 0.1:
            break
        if acc1 > 99:  # sync: tensor-truth note
            break
        best = max(best, validate(loader, model, criterion, device))


if __name__ == "__main__":
    main()
