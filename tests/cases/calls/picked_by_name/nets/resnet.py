import torch
from torch import nn

__all__ = ["resnet20", "resnet32", "resnet44", "resnet56", "resnet110", "resnet164", "resnet1202"]


def _init(module):
    if isinstance(module, nn.Linear):
        nn.init.kaiming_normal_(module.weight)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        y = torch.relu(self.fc(x))
        if y.max() > 100:  # sync: tensor-truth
            y = y / 2
        return x + y


class ResNet(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.Sequential(*[Block() for _ in range(depth)])
        self.apply(_init)

    def forward(self, x):
        return self.blocks(x)


def resnet20():
    return ResNet(3)


def resnet32():
    return ResNet(5)


def resnet44():
    return ResNet(7)


def resnet56():
    return ResNet(9)


def resnet110():
    return ResNet(18)


def resnet164():
    return ResNet(27)


def resnet1202():
    return ResNet(200)
