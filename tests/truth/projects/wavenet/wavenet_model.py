import torch
import torch.nn as nn
import torch.nn.functional as F


def mu_law_encode(x, mu=256):
    mu = mu - 1
    fx = torch.sign(x) * torch.log1p(mu * torch.abs(x)) / torch.log1p(torch.tensor(float(mu)))
    return torch.floor((fx + 1) / 2 * mu + 0.5).long()


def mu_law_decode(y, mu=256):
    mu = mu - 1
    fx = 2 * (y.float() / mu) - 1
    return torch.sign(fx) / mu * ((1 + mu) ** torch.abs(fx) - 1)


class CausalConv1d(nn.Conv1d):
    def __init__(self, in_ch, out_ch, kernel_size, dilation=1, **kw):
        self.left_pad = (kernel_size - 1) * dilation
        super(CausalConv1d, self).__init__(in_ch, out_ch, kernel_size, dilation=dilation, **kw)

    def forward(self, x):
        return super(CausalConv1d, self).forward(F.pad(x, (self.left_pad, 0)))


class ResBlock(nn.Module):
    def __init__(self, residual, skip, cond, kernel_size, dilation):
        super(ResBlock, self).__init__()
        self.dilated = CausalConv1d(residual, 2 * residual, kernel_size, dilation)
        self.cond = nn.Conv1d(cond, 2 * residual, 1, bias=False)
        self.res = nn.Conv1d(residual, residual, 1)
        self.skip = nn.Conv1d(residual, skip, 1)

    def forward(self, x, c):
        z = self.dilated(x) + self.cond(c)
        f, g = z.chunk(2, dim=1)
        z = torch.tanh(f) * torch.sigmoid(g)
        return (x + self.res(z)) * 0.5 ** 0.5, self.skip(z)


class UpsampleNet(nn.Module):
    def __init__(self, cond, scales):
        super(UpsampleNet, self).__init__()
        self.layers = nn.ModuleList()
        self.scales = scales
        for s in scales:
            conv = nn.Conv2d(1, 1, (3, 2 * s + 1), padding=(1, s), bias=False)
            nn.init.constant_(conv.weight, 1. / (3 * (2 * s + 1)))
            self.layers.append(conv)

    def forward(self, c):
        c = c.unsqueeze(1)
        for s, l in zip(self.scales, self.layers):
            c = F.interpolate(c, scale_factor=(1, s), mode='nearest')
            c = l(c)
        return c.squeeze(1)


class WaveNet(nn.Module):
    def __init__(self, classes=256, residual=24, skip=32, cond=20, layers=5, blocks=2, kernel_size=2, scales=(4, 8)):
        super(WaveNet, self).__init__()
        self.classes = classes
        self.hop = 1
        for s in scales:
            self.hop *= s
        self.receptive_field = blocks * (2 ** layers - 1) * (kernel_size - 1) + 1
        self.start = nn.Conv1d(1, residual, 1)
        self.upsample = UpsampleNet(cond, scales)
        self.stack = nn.ModuleList([ResBlock(residual, skip, cond, kernel_size, 2 ** l)
                                    for _ in range(blocks) for l in range(layers)])
        self.end1 = nn.Conv1d(skip, skip, 1)
        self.end2 = nn.Conv1d(skip, classes, 1)

    def forward(self, x, c, upsampled=False):
        """ x: (B, 1, T) in [-1, 1],  c: (B, n_mels, T / hop) """
        if not upsampled:
            c = self.upsample(c)
        h = self.start(x)
        skips = 0
        for block in self.stack:
            h, s = block(h, c)
            skips = skips + s
        skips *= (1.0 / len(self.stack)) ** 0.5
        return self.end2(F.relu(self.end1(F.relu(skips))))

    def generate(self, c, progress=None):
        c = self.upsample(c)
        B, _, T = c.size()
        out = torch.zeros(B, 1, 1).type_as(c)
        samples = []
        for t in range(T):
            lo = max(0, t + 1 - self.receptive_field)
            logits = self.forward(out[:, :, lo:t + 1], c[:, :, lo:t + 1], upsampled=True)[:, :, -1]
            p = F.softmax(logits, dim=1)
            s = torch.distributions.Categorical(p).sample()
            s = mu_law_decode(s, self.classes)
            samples.append(s)
            out = torch.cat([out, s.view(B, 1, 1)], dim=2)
            if progress is not None and t % progress == 0:
                print('  generated {}/{}'.format(t, T), end='\r')
        return torch.stack(samples, 1)
