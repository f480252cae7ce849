"""Helpers that everything goes through, as many research repositories have them: one caller's tensor is not another's."""
import torch
from torch import nn


def exists(value):
    return value is not None


def default(value, d):
    if exists(value):
        return value
    return d() if callable(d) else d


class Quantizer(nn.Module):
    def __init__(self, dim, codes=None, learnable=None, decay=None, ema=None, heads=None, name=None, temperature=None):
        super().__init__()
        self.codes = default(codes, 512)
        self.learnable = default(learnable, False)
        self.decay = default(decay, 0.99)
        self.ema = default(ema, True)
        self.heads = default(heads, 1)
        self.name = default(name, "codebook")
        self.temperature = default(temperature, lambda: 1.0)
        self.embed = nn.Parameter(torch.randn(self.codes, dim))

    def forward(self, x, mask=None, noise=None, bias=None):
        mask = default(mask, lambda: x[..., 0] > 0)
        noise = default(noise, lambda: torch.randn_like(x))
        bias = default(bias, x.mean(dim=-1))
        x = x + noise * self.temperature + bias[..., None]
        if self.learnable:
            x = x + self.embed[0]
        if self.ema and self.training:
            x = x * self.decay
        for _ in range(self.heads):
            x = x + 1
        return x[mask]  # sync: dynamic-shape


quantizer = Quantizer(16).cuda()
shared = Quantizer(16, codes=64, learnable=True, decay=0.5, ema=False, heads=2, name="shared").cuda()
optimizer = torch.optim.Adam(quantizer.parameters())
for step in range(10000):
    x = torch.randn(32, 16, device="cuda")
    loss = quantizer(x).square().mean() + shared(x, noise=x * 0.1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
