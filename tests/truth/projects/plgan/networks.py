import torch
import torch.nn as nn
from torch.nn.utils import spectral_norm


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1 and hasattr(m, "weight"):
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1 and getattr(m, "weight", None) is not None:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class ConditionalBatchNorm2d(nn.Module):
    def __init__(self, num_features, num_classes):
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features, affine=False)
        self.embed = nn.Embedding(num_classes, num_features * 2)
        self.embed.weight.data[:, :num_features].fill_(1.0)
        self.embed.weight.data[:, num_features:].zero_()

    def forward(self, x, y):
        gamma, beta = self.embed(y).chunk(2, 1)
        return self.bn(x) * gamma[..., None, None] + beta[..., None, None]


class GBlock(nn.Module):
    def __init__(self, cin, cout, num_classes):
        super().__init__()
        self.bn = ConditionalBatchNorm2d(cin, num_classes)
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.up = nn.Upsample(scale_factor=2)

    def forward(self, x, y):
        return self.conv(self.up(torch.relu(self.bn(x, y))))


class Generator(nn.Module):
    def __init__(self, z_dim=32, ch=32, num_classes=4):
        super().__init__()
        self.z_dim = z_dim
        self.fc = nn.Linear(z_dim, ch * 4 * 16)
        self.blocks = nn.ModuleList([GBlock(ch * 4, ch * 2, num_classes), GBlock(ch * 2, ch, num_classes),
                                     GBlock(ch, ch, num_classes)])
        self.out = nn.Sequential(nn.BatchNorm2d(ch), nn.ReLU(), nn.Conv2d(ch, 3, 3, padding=1), nn.Tanh())
        self.apply(weights_init)

    def forward(self, z, y):
        h = self.fc(z).view(z.size(0), -1, 4, 4)
        for b in self.blocks:
            h = b(h, y)
        return self.out(h)


class Discriminator(nn.Module):
    def __init__(self, ch=32, num_classes=4):
        super().__init__()
        chans = [3, ch, ch * 2, ch * 4]
        layers = []
        for a, b in zip(chans[:-1], chans[1:]):
            layers += [spectral_norm(nn.Conv2d(a, b, 4, 2, 1)), nn.LeakyReLU(0.2)]
        self.net = nn.Sequential(*layers)
        self.linear = spectral_norm(nn.Linear(ch * 4, 1))
        self.embed = spectral_norm(nn.Embedding(num_classes, ch * 4))

    def forward(self, x, y):
        h = self.net(x).sum((2, 3))
        return self.linear(h).squeeze(1) + (self.embed(y) * h).sum(1)
