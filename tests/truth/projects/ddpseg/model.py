from collections import OrderedDict

import torch
from torch import nn
from torch.nn import functional as F


class ASPP(nn.Module):
    def __init__(self, cin, cout, rates=(1, 2, 4)):
        super().__init__()
        self.convs = nn.ModuleList([
            nn.Sequential(nn.Conv2d(cin, cout, 3, padding=r, dilation=r, bias=False), nn.BatchNorm2d(cout), nn.ReLU())
            for r in rates])
        self.project = nn.Sequential(nn.Conv2d(cout * len(rates), cout, 1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())

    def forward(self, x):
        return self.project(torch.cat([c(x) for c in self.convs], 1))


class TinyDeepLab(nn.Module):
    def __init__(self, num_classes, width=16):
        super().__init__()

        def stage(i, o, s):
            return nn.Sequential(nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True),
                                 nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))
        self.layer1 = stage(3, width, 2)
        self.layer2 = stage(width, width * 2, 2)
        self.layer3 = stage(width * 2, width * 4, 1)
        self.head = nn.Sequential(ASPP(width * 4, width * 2), nn.Conv2d(width * 2, num_classes, 1))
        self.aux = nn.Conv2d(width * 2, num_classes, 1)

    def forward(self, x):
        size = x.shape[-2:]
        f2 = self.layer2(self.layer1(x))
        f3 = self.layer3(f2)
        out = OrderedDict()
        out["out"] = F.interpolate(self.head(f3), size=size, mode="bilinear", align_corners=False)
        out["aux"] = F.interpolate(self.aux(f2), size=size, mode="bilinear", align_corners=False)
        return out
