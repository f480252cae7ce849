"""A radiance field of a room: rays from many pictures, samples where the first network found something, two networks in one step."""
import math
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_float32_matmul_precision("high")
hp = SimpleNamespace(n_rays=3072, n_coarse=64, n_fine=64, width=256, layers=8, near=2.0, far=6.0, lr=5e-6, pictures=60, side=320)
device = torch.device("cuda")


class Embedder(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.register_buffer("frequencies", 2.0 ** torch.arange(bands) * math.pi)

    def forward(self, x):
        scaled = (x[..., None] * self.frequencies).flatten(-2)
        return torch.cat([x, scaled.sin(), scaled.cos()], dim=-1)


class NeRF(nn.Module):
    def __init__(self, width=256, layers=8, skip=4):
        super().__init__()
        self.embed_xyz, self.embed_dir = Embedder(10), Embedder(4)
        self.skip = skip
        self.layers = nn.ModuleList([nn.Linear(63, width)] + [nn.Linear(width + 63 if i == skip else width, width) for i in range(1, layers)])
        self.density = nn.Linear(width, 1)
        self.feature = nn.Linear(width, width)
        self.color = nn.Sequential(nn.Linear(width + 27, width // 2), nn.ReLU(), nn.Linear(width // 2, 3), nn.Sigmoid())

    def forward(self, xyz, direction):
        points = self.embed_xyz(xyz)
        h = points
        for i, layer in enumerate(self.layers):
            if i == self.skip:
                h = torch.cat([points, h], dim=-1)
            h = F.relu(layer(h))
        view = self.embed_dir(direction)[:, None].expand(-1, xyz.shape[1], -1)
        return self.color(torch.cat([self.feature(h), view], dim=-1)), F.relu(self.density(h)).squeeze(-1)


def composite(rgb, sigma, depth):
    """The color of each ray, how opaque it is, and what each sample adds."""
    step = torch.cat([depth[:, 1:] - depth[:, :-1], torch.full_like(depth[:, :1], 1e2)], dim=1)
    alpha = 1 - torch.exp(-sigma * step)
    through = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], dim=1), dim=1)[:, :-1]
    weights = alpha * through
    return (weights[..., None] * rgb).sum(1), weights.sum(1), weights


def sample_coarse(n_rays):
    edges = torch.linspace(hp.near, hp.far, hp.n_coarse + 1, device=device)
    return edges[:-1] + (edges[1:] - edges[:-1]) * torch.rand(n_rays, hp.n_coarse, device=device)


def sample_fine(depth, weights):
    """Inverse transform sampling along each ray."""
    middle = 0.5 * (depth[:, 1:] + depth[:, :-1])
    density = weights[:, 1:-1].detach() + 1e-5
    cdf = torch.cumsum(density / density.sum(-1, keepdim=True), dim=-1)
    cdf = torch.cat([torch.zeros_like(cdf[:, :1]), cdf], dim=-1)
    u = torch.rand(depth.shape[0], hp.n_fine, device=device)
    above = torch.searchsorted(cdf, u, right=True).clamp(1, cdf.shape[1] - 1)
    low, high = cdf.gather(1, above - 1), cdf.gather(1, above)
    where = (u - low) / (high - low).clamp(min=1e-5)
    left, right = middle.gather(1, above - 1), middle.gather(1, above)
    return torch.sort(torch.cat([depth, left + where * (right - left)], dim=1), dim=1).values


def cast_rays(which, pixels):
    x = (pixels % hp.side).float() / hp.side - 0.5
    y = torch.div(pixels, hp.side, rounding_mode="floor").float() / hp.side - 0.5
    local = F.normalize(torch.stack([x, -y, -torch.ones_like(x)], dim=-1), dim=-1)
    return origins[which], (rotations[which] @ local[..., None]).squeeze(-1)


pictures = torch.rand(hp.pictures, hp.side * hp.side, 3, device=device)
origins = torch.randn(hp.pictures, 3, device=device)
rotations = torch.linalg.qr(torch.randn(hp.pictures, 3, 3)).Q.to(device)  # syncl: allow once
coarse, fine = NeRF(hp.width, hp.layers).to(device), NeRF(hp.width, hp.layers).to(device)
optimizer = torch.optim.RAdam(list(coarse.parameters()) + list(fine.parameters()), lr=hp.lr)
decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9999999)
psnrs, alive = [], []


def train(steps):
    for i in range(steps):
        which = torch.randint(0, hp.pictures, (hp.n_rays,), device=device)  #- index-host
        #+ index-host: which = torch.randint(0, hp.pictures, (hp.n_rays,)).to(device)
        pixels = torch.randint(0, hp.side * hp.side, (hp.n_rays,), device=device)
        target = pictures[which, pixels]
        origin, direction = cast_rays(which, pixels)
        depth = sample_coarse(hp.n_rays)
        rgb, sigma = coarse(origin[:, None] + depth[..., None] * direction[:, None], direction)
        color_coarse, opacity, weights = composite(rgb, sigma, depth)
        #+ hits: alive.append(torch.nonzero(opacity.detach() > 0.5).shape[0])
        depth = sample_fine(depth, weights)
        rgb, sigma = fine(origin[:, None] + depth[..., None] * direction[:, None], direction)
        color, opacity, _ = composite(rgb, sigma, depth)
        loss_fine = F.mse_loss(color, target)
        loss = loss_fine + F.mse_loss(color_coarse, target)
        #+ psnr-forward: psnrs.append(-10 * math.log10(loss_fine.item()))
        #+ opaque: hard = color.detach()[opacity > 0.99]
        optimizer.zero_grad()
        loss.backward()
        #+ psnr-backward: psnrs.append((-10 * torch.log10(loss_fine.detach())).item())
        optimizer.step()
        decay.step()
        #+ psnr-end: psnrs.append(-10 * math.log10(loss_fine.item()))
        #+ render: rendered = color.detach().clamp(0, 1).cpu()
        #+ print: print("loss", loss.detach())


if __name__ == "__main__":
    train(80)
