"""ResNet-18 on small images, copies from pageable memory, accuracy in every step."""
import torch
import torchvision
from torch import nn


class AverageMeter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n):
        self.total += value * n
        self.count += n


def train(model, images, labels, optimizer, criterion, device):
    losses, top1 = AverageMeter(), AverageMeter()
    model.train()
    for step in range(10000000):
        begin = step % 16 * 32
        x = images[begin:begin + 32].to(device)
        y = labels[begin:begin + 32].to(device)
        output = model(x)
        loss = criterion(output, y)
        losses.update(loss.item(), x.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hit = (output.argmax(1) == y).float().mean()
        top1.update(hit.item(), x.size(0))


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = torchvision.models.resnet18(num_classes=10).to(device)
    images, labels = torch.randn(512, 3, 64, 64), torch.randint(0, 10, (512,))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    train(model, images, labels, optimizer, nn.CrossEntropyLoss(), device)


if __name__ == "__main__":
    main()
