"""DCGAN with meters in a dict and images saved now and then."""
from collections import defaultdict

import torch
import torch.nn as nn
import torchvision.utils as vutils
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from tqdm import tqdm

NETS = {}


def register(name):
    def wrap(cls):
        NETS[name] = cls
        return cls
    return wrap


@register("g_small")
class SmallG(nn.Module):
    def __init__(self, nz=100, ngf=64):
        super().__init__()
        self.main = nn.Sequential(nn.ConvTranspose2d(nz, ngf, 4), nn.BatchNorm2d(ngf), nn.ReLU(), nn.Tanh())

    def forward(self, z):
        return self.main(z)


@register("d_small")
class SmallD(nn.Module):
    def __init__(self, ndf=64):
        super().__init__()
        self.main = nn.Sequential(nn.Conv2d(3, ndf, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(ndf, 1, 4))

    def forward(self, x):
        return self.main(x).view(-1)


class Meters(defaultdict):
    def __init__(self):
        super().__init__(list)

    def log(self, **values):
        for key, value in values.items():
            self[key].append(value)


def build(name, **cfg):
    return NETS[name](**cfg)


def gradient_penalty(D, real, fake):
    alpha = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    out = D(mixed)
    grads = torch.autograd.grad(out, mixed, torch.ones_like(out), create_graph=True)[0]
    return ((grads.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def train(opt):
    device = "cuda:0"
    data = datasets.CIFAR10(".", transform=transforms.ToTensor())
    loader = DataLoader(data, batch_size=64, shuffle=True, num_workers=2)
    netG = build(opt.g, nz=opt.nz).to(device)
    netD = build(opt.d).to(device)
    fixed = torch.randn(64, opt.nz, 1, 1, device=device)
    optD = torch.optim.Adam(netD.parameters())
    optG = torch.optim.Adam(netG.parameters())
    meters = Meters()
    bar = tqdm(range(opt.niter))
    for epoch in bar:
        for i, (real, _) in enumerate(loader):
            real = real.to(device)  # sync: copy-to-device
            netD.zero_grad()
            errD_real = -netD(real).mean()
            noise = torch.randn(real.size(0), opt.nz, 1, 1).to(device)  # sync: copy-to-device
            fake = netG(noise)
            errD_fake = netD(fake.detach()).mean()
            gp = gradient_penalty(netD, real, fake.detach())
            errD = errD_real + errD_fake + 10 * gp
            errD.backward()
            D_x = errD_real.item()  # sync: host-read
            optD.step()
            netG.zero_grad()
            errG = -netD(fake).mean()
            errG.backward()
            optG.step()
            meters.log(d=errD.item(), g=errG.item(), gp=gp)  # sync: host-read, host-read
            bar.set_postfix(D=D_x, G=float(errG))  # sync: host-read
            if i % 100 == 0:
                with torch.no_grad():
                    grid = netG(fixed).detach().cpu()  # sync: copy-to-host note
                vutils.save_image(grid, f"out/{epoch}.png", normalize=True)
        print("epoch", epoch, "gp", sum(meters["gp"]) / len(meters["gp"]))  # missed: print-tensor
        torch.save(netG.state_dict(), "g.pt")  # sync: copy-to-host note
