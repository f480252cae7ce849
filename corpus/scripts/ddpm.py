"""A small denoising diffusion model on synthetic blobs."""
import argparse
import math
import os
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import Adam
from torch.utils.data import DataLoader, Dataset
from tqdm.auto import tqdm


def linear_beta_schedule(timesteps):
    return torch.linspace(0.0001, 0.02, timesteps)


class Blobs(Dataset):
    def __init__(self, n, size):
        self.n, self.size = n, size
        ax = np.linspace(-1, 1, size, dtype=np.float32)
        self.xx, self.yy = np.meshgrid(ax, ax)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        rng = np.random.default_rng(i)
        cx, cy = rng.uniform(-0.6, 0.6, 2)
        img = np.exp(-((self.xx - cx) ** 2 + (self.yy - cy) ** 2) / 0.1)
        t = torch.from_numpy(img.astype(np.float32))[None] * 2 - 1
        return {"pixel_values": t, "radius": float(t.max())}


class SinusoidalPositionEmbeddings(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, time):
        device = time.device
        half_dim = self.dim // 2
        embeddings = math.log(10000) / (half_dim - 1)
        embeddings = torch.exp(torch.arange(half_dim, device=device) * -embeddings)
        embeddings = time[:, None] * embeddings[None, :]
        return torch.cat((embeddings.sin(), embeddings.cos()), dim=-1)


class ResBlock(nn.Module):
    def __init__(self, dim, time_dim):
        super().__init__()
        self.conv1 = nn.Conv2d(dim, dim, 3, padding=1)
        self.conv2 = nn.Conv2d(dim, dim, 3, padding=1)
        self.norm1, self.norm2 = nn.GroupNorm(4, dim), nn.GroupNorm(4, dim)
        self.time = nn.Linear(time_dim, dim)

    def forward(self, x, t):
        h = self.conv1(F.silu(self.norm1(x))) + self.time(t)[:, :, None, None]
        return x + self.conv2(F.silu(self.norm2(h)))


class TinyUnet(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.time_mlp = nn.Sequential(SinusoidalPositionEmbeddings(dim), nn.Linear(dim, 4 * dim), nn.GELU())
        self.inp = nn.Conv2d(1, dim, 3, padding=1)
        self.down = ResBlock(dim, 4 * dim)
        self.pool = nn.Conv2d(dim, dim, 4, 2, 1)
        self.mid = ResBlock(dim, 4 * dim)
        self.up = nn.ConvTranspose2d(dim, dim, 4, 2, 1)
        self.last = ResBlock(dim, 4 * dim)
        self.out = nn.Conv2d(dim, 1, 1)

    def forward(self, x, time):
        t = self.time_mlp(time)
        x = self.down(self.inp(x), t)
        h = self.mid(self.pool(x), t)
        return self.out(self.last(self.up(h) + x, t))


parser = argparse.ArgumentParser()
parser.add_argument("--timesteps", type=int, default=200)
parser.add_argument("--epochs", type=int, default=6)
parser.add_argument("--n", type=int, default=4096)
parser.add_argument("--batch-size", type=int, default=128)
parser.add_argument("--image-size", type=int, default=16)
parser.add_argument("--results", default="results")
opts = parser.parse_args()

timesteps = opts.timesteps
betas = linear_beta_schedule(timesteps=timesteps)
alphas = 1.0 - betas
alphas_cumprod = torch.cumprod(alphas, axis=0)
alphas_cumprod_prev = F.pad(alphas_cumprod[:-1], (1, 0), value=1.0)
sqrt_recip_alphas = torch.sqrt(1.0 / alphas)
sqrt_alphas_cumprod = torch.sqrt(alphas_cumprod)
sqrt_one_minus_alphas_cumprod = torch.sqrt(1.0 - alphas_cumprod)
posterior_variance = betas * (1.0 - alphas_cumprod_prev) / (1.0 - alphas_cumprod)


def extract(a, t, x_shape):
    batch_size = t.shape[0]
    out = a.gather(-1, t.cpu())  # sync: copy-to-host
    return out.reshape(batch_size, *((1,) * (len(x_shape) - 1))).to(t.device)  # sync: copy-to-device


def q_sample(x_start, t, noise=None):
    if noise is None:
        noise = torch.randn_like(x_start)
    return (
        extract(sqrt_alphas_cumprod, t, x_start.shape) * x_start
        + extract(sqrt_one_minus_alphas_cumprod, t, x_start.shape) * noise
    )


def p_losses(denoise_model, x_start, t, noise=None, loss_type="l1"):
    if noise is None:
        noise = torch.randn_like(x_start)
    x_noisy = q_sample(x_start=x_start, t=t, noise=noise)
    predicted_noise = denoise_model(x_noisy, t)
    if loss_type == "l1":
        return F.l1_loss(noise, predicted_noise)
    if loss_type == "huber":
        return F.smooth_l1_loss(noise, predicted_noise)
    raise NotImplementedError(loss_type)


@torch.no_grad()
def p_sample(model, x, t, t_index):
    betas_t = extract(betas, t, x.shape)
    sqrt_one_minus_alphas_cumprod_t = extract(sqrt_one_minus_alphas_cumprod, t, x.shape)
    sqrt_recip_alphas_t = extract(sqrt_recip_alphas, t, x.shape)
    model_mean = sqrt_recip_alphas_t * (x - betas_t * model(x, t) / sqrt_one_minus_alphas_cumprod_t)
    if t_index == 0:
        return model_mean
    posterior_variance_t = extract(posterior_variance, t, x.shape)
    return model_mean + torch.sqrt(posterior_variance_t) * torch.randn_like(x)


@torch.no_grad()
def p_sample_loop(model, shape):
    device = next(model.parameters()).device
    b = shape[0]
    img = torch.randn(shape, device=device)
    imgs = []
    for i in tqdm(reversed(range(0, timesteps)), desc="sampling", total=timesteps, disable=None):
        img = p_sample(model, img, torch.full((b,), i, device=device, dtype=torch.long), i)
        imgs.append(img.cpu().numpy())  # sync: copy-to-host
    return imgs


def main():
    os.makedirs(opts.results, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(Blobs(opts.n, opts.image_size), batch_size=opts.batch_size, shuffle=True, drop_last=True)
    model = TinyUnet().to(device)
    optimizer = Adam(model.parameters(), lr=1e-3)
    sample = partial(p_sample_loop, model)
    for epoch in range(opts.epochs):
        for step, batch in enumerate(loader):
            optimizer.zero_grad()
            batch_size = batch["pixel_values"].shape[0]
            mean_radius = batch["radius"].mean().item()
            batch = batch["pixel_values"].to(device)  # sync: copy-to-device
            t = torch.randint(0, timesteps, (batch_size,), device=device).long()
            loss = p_losses(model, batch, t, loss_type="huber")
            if step % 10 == 0:
                print("Loss:", loss.item(), "radius:", mean_radius)  # sync: host-read note
            loss.backward()
            optimizer.step()
        frames = sample((16, 1, opts.image_size, opts.image_size))
        np.save(os.path.join(opts.results, f"sample-{epoch}.npy"), (frames[-1] + 1) * 0.5)
        print("sample range", frames[-1].min(), frames[-1].max())


if __name__ == "__main__":
    main()
