"""Small CNN on CIFAR-shaped random images: the plain supervised loop."""
import argparse
import os
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset


class FakeCifar(Dataset):
    def __init__(self, n, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.images = torch.randint(0, 256, (n, 3, 32, 32), generator=g, dtype=torch.uint8)
        self.labels = torch.randint(0, 10, (n,), generator=g)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i].float() / 255.0
        if img.mean() > 0.5:
            img = img.flip(-1)
        return img, int(self.labels[i].item())


class Net(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(2 * width)
        self.fc = nn.Linear(2 * width * 8 * 8, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.fc(x.flatten(1))


def train(args, model, device, loader, optimizer, epoch):
    model.train()
    running_loss = 0.0
    correct = 0
    seen = 0
    for batch_idx, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)  # sync: copy-to-device x2
        optimizer.zero_grad()
        output = model(data)
        loss = F.cross_entropy(output, target)
        loss.backward()
        optimizer.step()

        running_loss += loss.item()  # sync: host-read
        pred = output.argmax(dim=1)
        correct += (pred == target).sum().item()  # sync: host-read
        seen += data.size(0)
        if batch_idx % args.log_interval == 0:
            print("Train Epoch: {} [{}/{}]\tLoss: {:.6f}".format(
                epoch, seen, len(loader.dataset), loss.item()))  # sync: host-read note
    return running_loss / len(loader), 100.0 * correct / seen


def test(model, device, loader):
    model.eval()
    test_loss = 0
    correct = 0
    with torch.no_grad():
        for data, target in loader:
            data = data.to(device)  # sync: copy-to-device
            target = target.to(device)  # sync: copy-to-device
            output = model(data)
            test_loss += F.cross_entropy(output, target, reduction="sum").item()  # sync: host-read
            pred = output.argmax(dim=1, keepdim=True)
            correct += pred.eq(target.view_as(pred)).sum().item()  # sync: host-read
    test_loss /= len(loader.dataset)
    print(f"Test: average loss {test_loss:.4f}, accuracy {correct}/{len(loader.dataset)}")
    return correct / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser(description="CIFAR-like CNN")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--samples", type=int, default=5000)
    parser.add_argument("--log-interval", type=int, default=10)
    parser.add_argument("--no-cuda", action="store_true", default=False)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="checkpoints")
    args = parser.parse_args()

    use_cuda = not args.no_cuda and torch.cuda.is_available()
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if use_cuda else "cpu")
    os.makedirs(args.out, exist_ok=True)

    train_loader = DataLoader(FakeCifar(args.samples), batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(FakeCifar(args.samples // 5, seed=1), batch_size=args.batch_size)

    model = Net().to(device)
    n_params = sum(p.numel() for p in model.parameters())
    print("parameters:", n_params)
    optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.5)

    best = 0.0
    for epoch in range(1, args.epochs + 1):
        if use_cuda:
            torch.cuda.synchronize()  # sync: sync-for-timer note
        start = time.time()
        loss, acc = train(args, model, device, train_loader, optimizer, epoch)
        if use_cuda:
            torch.cuda.synchronize()  # sync: sync-for-timer note
        print(f"epoch {epoch}: loss {loss:.4f} acc {acc:.2f}% time {time.time() - start:.1f}s")
        accuracy = test(model, device, test_loader)
        scheduler.step()
        if accuracy > best:
            best = accuracy
            torch.save(model.state_dict(), os.path.join(args.out, "best.pt"))  # sync: copy-to-host note

    torch.save(model.state_dict(), os.path.join(args.out, "last.pt"))
    print("best accuracy", best)


if __name__ == "__main__":
    main()
