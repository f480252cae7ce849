import math

import torch
import torch.nn.functional as F
from torch import nn


def norm(c):
    return nn.GroupNorm(min(16, c // 4), c, eps=1e-6)


def zero(m):
    for p in m.parameters():
        nn.init.zeros_(p)
    return m


class ResBlock(nn.Module):
    def __init__(self, i, o, emb=None, dropout=0.0):
        super().__init__()
        self.a = nn.Sequential(norm(i), nn.SiLU(), nn.Conv2d(i, o, 3, padding=1))
        self.emb = nn.Linear(emb, 2 * o) if emb else None
        self.n = norm(o)
        self.b = nn.Sequential(nn.SiLU(), nn.Dropout(dropout), zero(nn.Conv2d(o, o, 3, padding=1)))
        self.skip = nn.Conv2d(i, o, 1) if i != o else nn.Identity()

    def forward(self, x, emb=None):
        h = self.n(self.a(x))
        if self.emb is not None:
            s, t = self.emb(F.silu(emb))[:, :, None, None].chunk(2, 1)
            h = h * (1 + s) + t
        return self.skip(x) + self.b(h)


class Attention(nn.Module):
    def __init__(self, c, heads):
        super().__init__()
        self.heads = heads
        self.n = norm(c)
        self.qkv = nn.Conv2d(c, 3 * c, 1)
        self.out = zero(nn.Conv2d(c, c, 1))

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.n(x)).reshape(b, 3, self.heads, c // self.heads, h * w).transpose(-1, -2).unbind(1)
        o = F.scaled_dot_product_attention(q, k, v)
        return x + self.out(o.transpose(-1, -2).reshape(b, c, h, w))


class DiagonalGaussian:
    def __init__(self, moments):
        self.mean, logvar = moments.float().chunk(2, 1)
        self.logvar = logvar.clamp(-30, 20)

    def sample(self):
        return self.mean + torch.exp(0.5 * self.logvar) * torch.randn_like(self.mean)

    def kl(self):
        return 0.5 * (self.mean ** 2 + self.logvar.exp() - 1 - self.logvar).sum((1, 2, 3))


class AutoencoderKL(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        chs = [cfg.ch * m for m in cfg.ch_mult]
        enc = [nn.Conv2d(3, chs[0], 3, padding=1)]
        c = chs[0]
        for o in chs:
            enc += [ResBlock(c, o), nn.Conv2d(o, o, 3, stride=2, padding=1)]
            c = o
        self.encoder = nn.Sequential(*enc, ResBlock(c, c), norm(c), nn.SiLU(), nn.Conv2d(c, 2 * cfg.z_dim, 3, padding=1))
        dec = [nn.Conv2d(cfg.z_dim, c, 3, padding=1), ResBlock(c, c)]
        for o in reversed(chs):
            dec += [nn.Upsample(scale_factor=2, mode="nearest"), nn.Conv2d(c, o, 3, padding=1), ResBlock(o, o)]
            c = o
        self.decoder = nn.Sequential(*dec, norm(c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def encode(self, x):
        return DiagonalGaussian(self.encoder(x))

    def decode(self, z):
        return self.decoder(z)

    def forward(self, x):
        post = self.encode(x)
        return self.decode(post.sample()), post

    @property
    def last_layer(self):
        return self.decoder[-1].weight


class PatchDiscriminator(nn.Module):
    def __init__(self, ch=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, ch, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv2d(ch, 2 * ch, 4, 2, 1), nn.BatchNorm2d(2 * ch), nn.LeakyReLU(0.2),
            nn.Conv2d(2 * ch, 1, 4, 1, 1))

    def forward(self, x):
        return self.net(x)


def timestep_embedding(t, dim):
    half = dim // 2
    f = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / half)
    a = t[:, None].float() * f[None]
    return torch.cat([a.cos(), a.sin()], -1)


class UNet(nn.Module):
    def __init__(self, cfg, z_dim, n_classes):
        super().__init__()
        self.ch, self.null = cfg.ch, n_classes
        emb = 4 * cfg.ch
        self.time = nn.Sequential(nn.Linear(cfg.ch, emb), nn.SiLU(), nn.Linear(emb, emb))
        self.label = nn.Embedding(n_classes + 1, emb)
        self.inp = nn.Conv2d(z_dim, cfg.ch, 3, padding=1)
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        skips, c = [cfg.ch], cfg.ch
        for i, m in enumerate(cfg.ch_mult):
            o = cfg.ch * m
            for _ in range(cfg.n_res):
                self.down.append(nn.ModuleList([ResBlock(c, o, emb), Attention(o, cfg.heads) if i else nn.Identity()]))
                c = o
                skips.append(c)
            if i < len(cfg.ch_mult) - 1:
                self.down.append(nn.ModuleList([nn.Conv2d(c, c, 3, stride=2, padding=1)]))
                skips.append(c)
        self.mid = nn.ModuleList([ResBlock(c, c, emb), Attention(c, cfg.heads), ResBlock(c, c, emb)])
        for i, m in reversed(list(enumerate(cfg.ch_mult))):
            o = cfg.ch * m
            for j in range(cfg.n_res + 1):
                layers = [ResBlock(c + skips.pop(), o, emb), Attention(o, cfg.heads) if i else nn.Identity()]
                c = o
                if i and j == cfg.n_res:
                    layers.append(nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(c, c, 3, padding=1)))
                self.up.append(nn.ModuleList(layers))
        self.out = nn.Sequential(norm(c), nn.SiLU(), zero(nn.Conv2d(c, z_dim, 3, padding=1)))

    def forward(self, x, t, y):
        emb = self.time(timestep_embedding(t, self.ch)) + self.label(y)
        h = self.inp(x)
        hs = [h]
        for blk in self.down:
            if len(blk) == 1:
                h = blk[0](h)
            else:
                h = blk[1](blk[0](h, emb))
            hs.append(h)
        h = self.mid[2](self.mid[1](self.mid[0](h, emb)), emb)
        for blk in self.up:
            h = blk[1](blk[0](torch.cat([h, hs.pop()], 1), emb))
            if len(blk) == 3:
                h = blk[2](h)
        return self.out(h)
