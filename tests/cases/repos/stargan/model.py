import copy

import numpy as np
import torch
import torch.nn as nn
from munch import Munch


class Generator(nn.Module):
    def __init__(self, img_size=256, style_dim=64):
        super().__init__()
        self.from_rgb = nn.Conv2d(3, 64, 3, 1, 1)
        self.style = nn.Linear(style_dim, 64)
        self.to_rgb = nn.Conv2d(64, 3, 1)

    def forward(self, x, s):
        h = self.from_rgb(x) * self.style(s)[:, :, None, None]
        return self.to_rgb(h)


class MappingNetwork(nn.Module):
    def __init__(self, latent_dim=16, style_dim=64, num_domains=2):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(latent_dim, 512), nn.ReLU())
        self.unshared = nn.ModuleList()
        for _ in range(num_domains):
            self.unshared += [nn.Sequential(nn.Linear(512, style_dim))]

    def forward(self, z, y):
        h = self.shared(z)
        out = []
        for layer in self.unshared:
            out += [layer(h)]
        out = torch.stack(out, dim=1)
        idx = torch.LongTensor(range(y.size(0))).to(y.device)  # sync: copy-to-device
        s = out[idx, y]
        return s


class Discriminator(nn.Module):
    def __init__(self, num_domains=2):
        super().__init__()
        self.main = nn.Sequential(nn.Conv2d(3, 64, 4, 4), nn.LeakyReLU(0.2), nn.Conv2d(64, num_domains, 64))

    def forward(self, x, y):
        out = self.main(x)
        out = out.view(out.size(0), -1)
        idx = torch.LongTensor(range(y.size(0))).to(y.device)  # sync: copy-to-device
        return out[idx, y]


def build_model(args):
    generator = nn.DataParallel(Generator(args.img_size, args.style_dim))
    mapping_network = nn.DataParallel(MappingNetwork(args.latent_dim, args.style_dim, args.num_domains))
    discriminator = nn.DataParallel(Discriminator(args.num_domains))
    generator_ema = copy.deepcopy(generator)
    nets = Munch(generator=generator, mapping_network=mapping_network, discriminator=discriminator)
    nets_ema = Munch(generator=generator_ema)
    return nets, nets_ema
