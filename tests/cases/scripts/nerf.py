"""A radiance field: rays drawn from images on the GPU, an occupancy grid, hierarchical sampling, PSNR."""
import os
from typing import NamedTuple, Tuple

import imageio
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.tensorboard import SummaryWriter

torch.set_default_dtype(torch.float32)
device = "cuda"


class Rays(NamedTuple):
    origins: torch.Tensor
    dirs: torch.Tensor


class Encoding(nn.Module):
    def __init__(self, n_freqs):
        super().__init__()
        self.register_buffer("scales", 2.0 ** torch.arange(n_freqs))

    def forward(self, x):
        y = (x[..., None] * self.scales).flatten(-2)
        return torch.cat([x, y.sin(), y.cos()], -1)


class Field(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.encode = Encoding(10)
        self.trunk = nn.Sequential(nn.Linear(63, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.sigma, self.rgb = nn.Linear(hidden, 1), nn.Linear(hidden, 3)

    def density(self, x):
        h = self.trunk(self.encode(x))
        return F.softplus(self.sigma(h)).squeeze(-1), h

    def forward(self, x):
        sigma, h = self.density(x)
        return sigma, self.rgb(h).sigmoid()


class OccupancyGrid(nn.Module):
    def __init__(self, resolution=128, threshold=0.01):
        super().__init__()
        self.resolution, self.threshold = resolution, threshold
        self.register_buffer("density", torch.zeros(resolution ** 3))
        self.register_buffer("binary", torch.ones(resolution ** 3, dtype=torch.bool))

    def cell_of(self, x):
        ijk = ((x + 1) / 2 * self.resolution).long().clamp(0, self.resolution - 1)
        return (ijk[..., 0] * self.resolution + ijk[..., 1]) * self.resolution + ijk[..., 2]

    @torch.no_grad()
    def update(self, field, n=2 ** 16):
        occupied = torch.nonzero(self.binary)[:, 0]  # sync: dynamic-shape note
        picked = occupied[torch.randint(len(occupied), (min(n, len(occupied)),), device=occupied.device)]
        x = torch.rand(len(picked), 3, device=picked.device) * 2 - 1
        cells = self.cell_of(x)
        self.density[cells] = torch.maximum(self.density[cells] * 0.95, field.density(x)[0])
        self.binary = self.density > min(self.density.mean().item(), self.threshold)  # sync: host-read note

    def keep(self, x):
        return self.binary[self.cell_of(x)]


def get_rays(h, w, focal, c2w) -> Rays:
    i, j = torch.meshgrid(torch.arange(w, device=c2w.device), torch.arange(h, device=c2w.device), indexing="xy")
    dirs = torch.stack([(i - w / 2) / focal, -(j - h / 2) / focal, -torch.ones_like(i)], -1)
    dirs = (dirs[..., None, :] * c2w[:3, :3]).sum(-1)
    return Rays(c2w[:3, 3].expand_as(dirs), dirs)


def sample_pdf(bins, weights, n):
    pdf = (weights + 1e-5) / (weights + 1e-5).sum(-1, keepdim=True)
    cdf = torch.cat([torch.zeros_like(pdf[..., :1]), pdf.cumsum(-1)], -1)
    u = torch.rand(*cdf.shape[:-1], n).to(cdf.device)  # sync: copy-to-device
    idx = torch.searchsorted(cdf, u.contiguous(), right=True).clamp(max=cdf.shape[-1] - 1)
    return bins.gather(-1, idx.clamp(max=bins.shape[-1] - 1))


def composite(sigma, rgb, t):
    delta = torch.cat([t[..., 1:] - t[..., :-1], torch.tensor([1e10]).expand(t[..., :1].shape).to(t.device)], -1)  # sync: copy-to-device
    alpha = 1 - torch.exp(-sigma * delta)
    weights = alpha * torch.cumprod(torch.cat([torch.ones_like(alpha[..., :1]), 1 - alpha + 1e-10], -1), -1)[..., :-1]
    return (weights[..., None] * rgb).sum(-2), weights


def query(field, grid, x):
    keep = grid.keep(x)
    sigma = torch.zeros(x.shape[:-1], device=x.device)
    rgb = torch.zeros_like(x)
    if keep.any():  # sync: tensor-truth
        s, c = field(x[keep])  # sync: dynamic-shape
        sigma[keep], rgb[keep] = s, c  # sync: dynamic-shape x2
    return sigma, rgb


def render(field, grid, rays: Rays, n_coarse=64, n_fine=64, near=2.0, far=6.0) -> Tuple[torch.Tensor, torch.Tensor]:
    t = torch.linspace(near, far, n_coarse, device=rays.origins.device).expand(len(rays.origins), n_coarse)
    sigma, rgb = query(field, grid, rays.origins[:, None] + rays.dirs[:, None] * t[..., None])
    coarse, weights = composite(sigma, rgb, t)
    fine_t = torch.sort(torch.cat([t, sample_pdf(t, weights.detach(), n_fine)], -1), -1)[0]
    sigma, rgb = query(field, grid, rays.origins[:, None] + rays.dirs[:, None] * fine_t[..., None])
    return composite(sigma, rgb, fine_t)[0], coarse


def psnr(mse):
    return -10.0 * torch.log(mse) / torch.log(torch.tensor([10.0], device=mse.device))  # sync: tensor-from-host


@torch.no_grad()
def render_image(field, grid, h, w, focal, pose, chunk=4096):
    rays = get_rays(h, w, focal, pose)
    flat = Rays(*[r.reshape(-1, 3) for r in rays])
    parts = []
    for s in range(0, len(flat.origins), chunk):
        part = Rays(*[r[s : s + chunk] for r in flat])
        parts.append(render(field, grid, part)[0].cpu())  # sync: copy-to-host
    return torch.cat(parts).view(h, w, 3)


def main(folder="lego", iters=200_000, batch=1024):
    loaded = np.load(os.path.join(folder, "data.npz"))
    images = torch.from_numpy(loaded["images"]).to(device)
    poses = torch.tensor(loaded["poses"], device=device)
    focal = float(loaded["focal"])
    n, h, w = images.shape[:3]
    field, grid = Field().to(device), OccupancyGrid().to(device)
    optimizer = torch.optim.Adam(field.parameters(), lr=5e-4, eps=1e-15)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9999)
    writer = SummaryWriter(folder)
    test_pose, test_image = poses[-1], images[-1]
    for it in range(iters):
        img = np.random.randint(n - 1)
        rays = get_rays(h, w, focal, poses[img])
        ys, xs = np.random.randint(0, h, batch), np.random.randint(0, w, batch)
        target = images[img][ys, xs]  # sync: index-from-host
        picked = Rays(rays.origins[ys, xs], rays.dirs[ys, xs])  # sync: index-from-host x2
        rgb, coarse = render(field, grid, picked)
        loss_fine = F.mse_loss(rgb, target)
        loss = loss_fine + F.mse_loss(coarse, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if it % 16 == 0:
            grid.update(field)
        quality = psnr(loss_fine.detach())
        if it % 100 == 0:
            writer.add_scalar("train/psnr", quality, it)  # sync: copy-to-host note
            writer.add_scalar("train/loss", loss, it)  # sync: copy-to-host note
            print(f"{it:6d} loss {loss.item():.5f} psnr {quality.item():.2f}")  # sync: host-read x2 note
        if it % 5000 == 0 and it:
            image = render_image(field, grid, h, w, focal, test_pose)
            error = F.mse_loss(image, test_image.cpu())  # sync: copy-to-host note
            imageio.imwrite(os.path.join(folder, f"{it:06d}.png"), (image.numpy() * 255).astype(np.uint8))
            print("test psnr", psnr(error))


if __name__ == "__main__":
    main()
