import torch
import torch.nn as nn
import torch.nn.functional as F


def double_conv(i, o):
    return nn.Sequential(nn.Conv3d(i, o, 3, padding=1, bias=False), nn.InstanceNorm3d(o, affine=True), nn.LeakyReLU(0.01, True),
                         nn.Conv3d(o, o, 3, padding=1, bias=False), nn.InstanceNorm3d(o, affine=True), nn.LeakyReLU(0.01, True))


class UNet3D(nn.Module):
    def __init__(self, in_ch, n_classes, base=8, depth=3, deep_supervision=False):
        super().__init__()
        ch = [base * 2 ** i for i in range(depth)]
        self.deep_supervision = deep_supervision
        self.downs = nn.ModuleList([double_conv(a, b) for a, b in zip([in_ch] + ch[:-1], ch)])
        self.ups = nn.ModuleList([nn.ConvTranspose3d(b, a, 2, 2) for a, b in zip(ch[:-1][::-1], ch[1:][::-1])])
        self.decs = nn.ModuleList([double_conv(a * 2, a) for a in ch[:-1][::-1]])
        self.outs = nn.ModuleList([nn.Conv3d(a, n_classes, 1) for a in ch[:-1][::-1]])

    def forward(self, x):
        skips = []
        for i, d in enumerate(self.downs):
            x = d(x if i == 0 else F.max_pool3d(x, 2))
            skips.append(x)
        outs = []
        for up, dec, out, skip in zip(self.ups, self.decs, self.outs, skips[:-1][::-1]):
            x = dec(torch.cat([up(x), skip], 1))
            outs.append(out(x))
        if self.training and self.deep_supervision:
            return outs[::-1]
        return outs[-1]
