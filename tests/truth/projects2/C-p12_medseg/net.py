import torch
import torch.nn as nn
import torch.nn.functional as F


def block(i, o, stride=1):
    return nn.Sequential(
        nn.Conv3d(i, o, 3, stride, 1, bias=False), nn.InstanceNorm3d(o, affine=True), nn.LeakyReLU(0.01, inplace=True),
        nn.Conv3d(o, o, 3, 1, 1, bias=False), nn.InstanceNorm3d(o, affine=True), nn.LeakyReLU(0.01, inplace=True))


class UNet3D(nn.Module):
    def __init__(self, in_ch=1, n_classes=3, widths=(16, 32, 64), deep_supervision=True):
        super().__init__()
        self.ds = deep_supervision
        self.enc = nn.ModuleList()
        c = in_ch
        for k, w in enumerate(widths):
            self.enc.append(block(c, w, 1 if k == 0 else 2))
            c = w
        self.up, self.dec, self.heads = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        for w in reversed(widths[:-1]):
            self.up.append(nn.ConvTranspose3d(c, w, 2, 2))
            self.dec.append(block(2 * w, w))
            self.heads.append(nn.Conv3d(w, n_classes, 1))
            c = w

    def forward(self, x):
        skips = []
        for e in self.enc:
            x = e(x)
            skips.append(x)
        skips.pop()
        outs = []
        for u, d, h in zip(self.up, self.dec, self.heads):
            x = d(torch.cat([u(x), skips.pop()], 1))
            outs.append(h(x))
        if self.ds and self.training:
            return outs[::-1]
        return outs[-1]


class DiceCELoss(nn.Module):
    def __init__(self, n_classes, ce_weight=None):
        super().__init__()
        self.n = n_classes
        self.ce = nn.CrossEntropyLoss(weight=ce_weight)

    def forward(self, logits, target):
        p = logits.float().softmax(1)
        t = F.one_hot(target, self.n).permute(0, 4, 1, 2, 3).float()
        inter = (p * t).sum((2, 3, 4))
        dice = (2 * inter + 1e-5) / (p.sum((2, 3, 4)) + t.sum((2, 3, 4)) + 1e-5)
        return 1 - dice[:, 1:].mean() + self.ce(logits.float(), target)


class DeepSupervision(nn.Module):
    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, outs, target):
        total, norm = 0.0, 0.0
        for i, o in enumerate(outs):
            t = target
            if i > 0:
                t = F.interpolate(target[:, None].float(), size=o.shape[2:], mode="nearest")[:, 0].long()
            total = total + 0.5 ** i * self.loss(o, t)
            norm += 0.5 ** i
        return total / norm
