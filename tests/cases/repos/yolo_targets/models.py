import torch
import torch.nn as nn
import yaml


class Detect(nn.Module):
    def __init__(self, nc=80, anchors=(), ch=()):
        super().__init__()
        self.nc = nc
        self.no = nc + 5
        self.nl = len(anchors)
        self.na = len(anchors[0]) // 2
        self.register_buffer("anchors", torch.tensor(anchors).float().view(self.nl, -1, 2))
        self.m = nn.ModuleList(nn.Conv2d(x, self.no * self.na, 1) for x in ch)

    def forward(self, x):
        for i in range(self.nl):
            x[i] = self.m[i](x[i])
            bs, _, ny, nx = x[i].shape
            x[i] = x[i].view(bs, self.na, self.no, ny, nx).permute(0, 1, 3, 4, 2).contiguous()
        return x


class DetectionModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.yaml = yaml.safe_load(open(cfg))
        self.stem = nn.Conv2d(3, 32, 3, 2, 1)
        self.stages = nn.ModuleList([nn.Conv2d(32, 32, 3, 2, 1) for _ in range(3)])
        self.head = Detect(self.yaml["nc"], self.yaml["anchors"], [32, 32, 32])

    def forward(self, x, augment=False):
        outs = []
        x = self.stem(x)
        for s in self.stages:
            x = s(x)
            outs.append(x)
        return self.head(outs)
