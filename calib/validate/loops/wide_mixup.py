"""A wide residual network on small pictures: bfloat16 autocast, channels last, mixup, an average of the weights."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

batch_size, num_classes, alpha = 384, 100, 0.2
device = torch.device("cuda")


class BasicBlock(nn.Module):
    def __init__(self, in_planes, out_planes, stride):
        super().__init__()
        self.bn1 = nn.BatchNorm2d(in_planes)
        self.conv1 = nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(out_planes)
        self.conv2 = nn.Conv2d(out_planes, out_planes, kernel_size=3, stride=1, padding=1, bias=False)
        self.equal = in_planes == out_planes
        self.shortcut = None if self.equal else nn.Conv2d(in_planes, out_planes, kernel_size=1, stride=stride, bias=False)

    def forward(self, x):
        out = F.relu(self.bn1(x))
        residual = x if self.equal else self.shortcut(out)
        out = self.conv2(F.relu(self.bn2(self.conv1(out))))
        return residual + out


def make_stage(in_planes, out_planes, blocks, stride):
    layers = [BasicBlock(in_planes, out_planes, stride)]
    for _ in range(blocks - 1):
        layers.append(BasicBlock(out_planes, out_planes, 1))
    return nn.Sequential(*layers)


class WideResNet(nn.Module):
    def __init__(self, depth=16, widen=8, num_classes=100):
        super().__init__()
        n = (depth - 4) // 6
        planes = [16, 16 * widen, 32 * widen, 64 * widen]
        self.conv1 = nn.Conv2d(3, planes[0], kernel_size=3, padding=1, bias=False)
        self.block1 = make_stage(planes[0], planes[1], n, 1)
        self.block2 = make_stage(planes[1], planes[2], n, 2)
        self.block3 = make_stage(planes[2], planes[3], n, 2)
        self.bn = nn.BatchNorm2d(planes[3])
        self.fc = nn.Linear(planes[3], num_classes)

    def forward(self, x):
        x = self.block3(self.block2(self.block1(self.conv1(x))))
        x = F.adaptive_avg_pool2d(F.relu(self.bn(x)), 1)
        return self.fc(torch.flatten(x, 1))


model = WideResNet().to(device, memory_format=torch.channels_last)
averaged = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.999))
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-6, momentum=0.9, weight_decay=5e-4, nesterov=True)
data = [(torch.randn(batch_size, 3, 32, 32), torch.randint(0, num_classes, (batch_size,))) for _ in range(8)]
pinned = [(inputs.pin_memory(), targets.pin_memory()) for inputs, targets in data]
losses, correct, total = [], 0, 0


def train(steps):
    global correct, total
    model.train()
    for i in range(steps):
        inputs, targets = pinned[i % 8]
        inputs, targets = inputs.to(device, non_blocking=True), targets.to(device, non_blocking=True)  #- upload
        #+ upload: inputs, targets = data[i % 8][0].to(device), data[i % 8][1].to(device)
        lam = np.random.beta(alpha, alpha)
        perm = torch.randperm(batch_size, device=device)
        mixed = (lam * inputs + (1 - lam) * inputs[perm]).contiguous(memory_format=torch.channels_last)
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            outputs = model(mixed)
            loss = lam * criterion(outputs, targets) + (1 - lam) * criterion(outputs, targets[perm])
        #+ item-forward: losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: losses.append(loss.item())
        optimizer.step()
        averaged.update_parameters(model)
        #+ item-end: losses.append(loss.item())
        predicted = outputs.argmax(dim=1)
        #+ correct: correct += predicted.eq(targets).sum().item()
        #+ shares: correct += (lam * predicted.eq(targets).sum().float() + (1 - lam) * predicted.eq(targets[perm]).sum().float()).item()
        #+ predicted: kept = predicted.cpu().numpy()
        #+ topk: print([predicted.eq(targets).float().mean().item(), outputs.topk(5)[1].eq(targets[:, None]).any(1).float().mean().item()])
        #+ print: print("Loss:", loss.detach())
        #+ tenth: if i % 10 == 0: losses.append(loss.item())


if __name__ == "__main__":
    train(1000)
