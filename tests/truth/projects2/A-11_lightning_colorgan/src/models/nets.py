import torch
from torch import nn


def conv(i, o, stride=1, norm=True, act=True):
    layers = [nn.Conv2d(i, o, 3, stride, 1, bias=not norm)]
    if norm:
        layers.append(nn.GroupNorm(8, o))
    if act:
        layers.append(nn.SiLU())
    return nn.Sequential(*layers)


class UNet(nn.Module):
    def __init__(self, ch=32, num_classes=3):
        super().__init__()
        self.inc = conv(1, ch)
        self.d1 = nn.Sequential(conv(ch, ch * 2, 2), conv(ch * 2, ch * 2))
        self.d2 = nn.Sequential(conv(ch * 2, ch * 4, 2), conv(ch * 4, ch * 4))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.u1 = conv(ch * 6, ch * 2)
        self.u2 = conv(ch * 3, ch)
        self.out = nn.Conv2d(ch, 3, 1)
        self.cls = nn.Linear(ch * 4, num_classes)

    def forward(self, x):
        a = self.inc(x)
        b = self.d1(a)
        c = self.d2(b)
        logits = self.cls(c.mean((2, 3)))
        x = self.u1(torch.cat([self.up(c), b], 1))
        x = self.u2(torch.cat([self.up(x), a], 1))
        return torch.sigmoid(self.out(x)), logits


class PatchDiscriminator(nn.Module):
    def __init__(self, ch=32):
        super().__init__()
        sn = nn.utils.parametrizations.spectral_norm
        self.net = nn.Sequential(
            sn(nn.Conv2d(4, ch, 4, 2, 1)), nn.LeakyReLU(0.2),
            sn(nn.Conv2d(ch, ch * 2, 4, 2, 1)), nn.LeakyReLU(0.2),
            sn(nn.Conv2d(ch * 2, 1, 3, 1, 1)),
        )

    def forward(self, gray, rgb):
        return self.net(torch.cat([gray, rgb], 1))
