import torch
import torch.nn as nn
import torch.nn.functional as F


class BasicBlock(nn.Module):
    def __init__(self, inplanes, planes, stride=1, dilation=1):
        super(BasicBlock, self).__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, dilation, dilation, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, dilation, dilation, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

    def forward(self, x):
        residual = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += residual
        return self.relu(out)


class Backbone(nn.Module):
    """output stride 16 like the paper, but slim"""

    def __init__(self):
        super(Backbone, self).__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(inplace=True))
        self.layer1 = nn.Sequential(BasicBlock(32, 48, 2), BasicBlock(48, 48))
        self.layer2 = nn.Sequential(BasicBlock(48, 96, 2), BasicBlock(96, 96))
        self.layer3 = nn.Sequential(BasicBlock(96, 160, 2), BasicBlock(160, 160, dilation=2))

    def forward(self, x):
        low = self.layer1(self.stem(x))
        return self.layer3(self.layer2(low)), low


class ASPP(nn.Module):
    def __init__(self, inplanes, out=96, dilations=(1, 2, 4, 6)):
        super(ASPP, self).__init__()
        self.branches = nn.ModuleList()
        for d in dilations:
            k, p = (1, 0) if d == 1 else (3, d)
            self.branches.append(nn.Sequential(
                nn.Conv2d(inplanes, out, k, padding=p, dilation=d, bias=False), nn.BatchNorm2d(out), nn.ReLU()))
        self.global_avg_pool = nn.Sequential(
            nn.AdaptiveAvgPool2d((1, 1)), nn.Conv2d(inplanes, out, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())
        self.project = nn.Sequential(
            nn.Conv2d(out * (len(dilations) + 1), out, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(), nn.Dropout(0.5))

    def forward(self, x):
        xs = [b(x) for b in self.branches]
        g = self.global_avg_pool(x)
        g = F.interpolate(g, size=xs[0].size()[2:], mode='bilinear', align_corners=True)
        return self.project(torch.cat(xs + [g], dim=1))


class DeepLab(nn.Module):
    def __init__(self, num_classes=21, freeze_bn=False):
        super(DeepLab, self).__init__()
        self.backbone = Backbone()
        self.aspp = ASPP(160)
        self.low = nn.Sequential(nn.Conv2d(48, 24, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU())
        self.last_conv = nn.Sequential(
            nn.Conv2d(96 + 24, 96, 3, padding=1, bias=False), nn.BatchNorm2d(96), nn.ReLU(), nn.Dropout(0.1),
            nn.Conv2d(96, num_classes, 1))
        self.freeze_bn = freeze_bn
        self._init_weight()

    def forward(self, input):
        x, low = self.backbone(input)
        x = self.aspp(x)
        low = self.low(low)
        x = F.interpolate(x, size=low.size()[2:], mode='bilinear', align_corners=True)
        x = self.last_conv(torch.cat((x, low), dim=1))
        return F.interpolate(x, size=input.size()[2:], mode='bilinear', align_corners=True)

    def _init_weight(self):
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                torch.nn.init.kaiming_normal_(m.weight)
            elif isinstance(m, nn.BatchNorm2d):
                m.weight.data.fill_(1)
                m.bias.data.zero_()

    def get_1x_lr_params(self):
        for p in self.backbone.parameters():
            if p.requires_grad:
                yield p

    def get_10x_lr_params(self):
        for m in [self.aspp, self.low, self.last_conv]:
            for p in m.parameters():
                if p.requires_grad:
                    yield p
