import torch.nn as nn
import torch.nn.functional as F


class BasicBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.bn1 = nn.BatchNorm2d(cin)
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.shortcut = nn.Conv2d(cin, cout, 1, stride, bias=False) if stride > 1 or cin != cout else None

    def forward(self, x):
        h = F.relu(self.bn1(x))
        s = x if self.shortcut is None else self.shortcut(h)
        h = self.conv1(h)
        h = self.conv2(F.relu(self.bn2(h)))
        return h + s


class WRN(nn.Module):
    def __init__(self, n_blocks=1, widen=1, n_classes=10):
        super().__init__()
        c = [16, 16 * widen, 32 * widen, 64 * widen]
        self.conv0 = nn.Conv2d(3, c[0], 3, padding=1, bias=False)
        groups = []
        for g in range(3):
            blocks = []
            for b in range(n_blocks):
                blocks.append(BasicBlock(c[g] if b == 0 else c[g + 1], c[g + 1], (1 if g == 0 else 2) if b == 0 else 1))
            groups.append(nn.Sequential(*blocks))
        self.group1, self.group2, self.group3 = groups
        self.bn = nn.BatchNorm2d(c[3])
        self.fc = nn.Linear(c[3], n_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x):
        x = self.group3(self.group2(self.group1(self.conv0(x))))
        x = F.relu(self.bn(x)).mean((2, 3))
        return self.fc(x)
