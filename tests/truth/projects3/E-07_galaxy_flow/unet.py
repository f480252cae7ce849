import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from einops import rearrange


def timestep_embedding(t, dim, max_period=1000.0):
    half = dim // 2
    freqs = torch.exp(-math.log(max_period) * torch.arange(half, device=t.device) / half)
    args = 1000.0 * t.float()[:, None] * freqs[None]
    return torch.cat([args.cos(), args.sin()], dim=-1)


class ResBlock(nn.Module):
    def __init__(self, cin, cout, emb):
        super().__init__()
        self.norm1 = nn.GroupNorm(8, cin)
        self.conv1 = nn.Conv2d(cin, cout, 3, padding=1)
        self.emb = nn.Linear(emb, 2 * cout)
        self.norm2 = nn.GroupNorm(8, cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, padding=1)
        nn.init.zeros_(self.conv2.weight)
        nn.init.zeros_(self.conv2.bias)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, e):
        h = self.conv1(F.silu(self.norm1(x)))
        scale, shift = self.emb(F.silu(e))[:, :, None, None].chunk(2, dim=1)
        h = self.norm2(h) * (1 + scale) + shift
        return self.skip(x) + self.conv2(F.silu(h))


class SelfAttention(nn.Module):
    def __init__(self, c, heads=4):
        super().__init__()
        self.heads = heads
        self.norm = nn.GroupNorm(8, c)
        self.qkv = nn.Conv2d(c, 3 * c, 1)
        self.proj = nn.Conv2d(c, c, 1)

    def forward(self, x):
        h, w = x.shape[-2:]
        q, k, v = rearrange(self.qkv(self.norm(x)), "b (three n d) h w -> three b n (h w) d", three=3, n=self.heads)
        o = F.scaled_dot_product_attention(q, k, v)
        return x + self.proj(rearrange(o, "b n (h w) d -> b (n d) h w", h=h, w=w))


class UNet(nn.Module):
    def __init__(self, n_classes, ch=32, emb=128, in_ch=1):
        super().__init__()
        self.n_classes = n_classes
        self.ch = ch
        self.time = nn.Sequential(nn.Linear(ch, emb), nn.SiLU(), nn.Linear(emb, emb))
        self.cls = nn.Embedding(n_classes + 1, emb)  # last index = unconditional
        self.inp = nn.Conv2d(in_ch, ch, 3, padding=1)
        self.d1 = ResBlock(ch, ch, emb)
        self.down1 = nn.Conv2d(ch, 2 * ch, 3, stride=2, padding=1)
        self.d2 = ResBlock(2 * ch, 2 * ch, emb)
        self.down2 = nn.Conv2d(2 * ch, 2 * ch, 3, stride=2, padding=1)
        self.mid1 = ResBlock(2 * ch, 2 * ch, emb)
        self.attn = SelfAttention(2 * ch)
        self.mid2 = ResBlock(2 * ch, 2 * ch, emb)
        self.u2 = ResBlock(4 * ch, 2 * ch, emb)
        self.u1 = ResBlock(3 * ch, ch, emb)
        self.out = nn.Sequential(nn.GroupNorm(8, ch), nn.SiLU(), nn.Conv2d(ch, in_ch, 3, padding=1))

    def forward(self, x, t, y):
        e = self.time(timestep_embedding(t, self.ch)) + self.cls(y)
        h1 = self.d1(self.inp(x), e)
        h2 = self.d2(self.down1(h1), e)
        h = self.mid2(self.attn(self.mid1(self.down2(h2), e)), e)
        h = self.u2(torch.cat([F.interpolate(h, scale_factor=2, mode="nearest"), h2], dim=1), e)
        h = self.u1(torch.cat([F.interpolate(h, scale_factor=2, mode="nearest"), h1], dim=1), e)
        return self.out(h)
