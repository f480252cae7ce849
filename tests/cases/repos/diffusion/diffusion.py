import math

import torch
import torch.nn.functional as F
from torch import nn


def linear_beta_schedule(timesteps):
    scale = 1000 / timesteps
    return torch.linspace(scale * 0.0001, scale * 0.02, timesteps, dtype=torch.float64)


def extract(a, t, x_shape):
    b, *_ = t.shape
    out = a.gather(-1, t)
    return out.reshape(b, *((1,) * (len(x_shape) - 1)))


def default(val, d):
    if val is not None:
        return val
    return d() if callable(d) else d


class GaussianDiffusion(nn.Module):
    def __init__(self, model, *, image_size, timesteps=1000, sampling_timesteps=None, objective="pred_noise"):
        super().__init__()
        self.model = model
        self.image_size = image_size
        self.objective = objective
        betas = linear_beta_schedule(timesteps)
        alphas = 1.0 - betas
        alphas_cumprod = torch.cumprod(alphas, dim=0)
        self.num_timesteps = int(betas.shape[0])
        register_buffer = lambda name, val: self.register_buffer(name, val.to(torch.float32))
        register_buffer("betas", betas)
        register_buffer("alphas_cumprod", alphas_cumprod)
        register_buffer("sqrt_alphas_cumprod", torch.sqrt(alphas_cumprod))
        register_buffer("sqrt_one_minus_alphas_cumprod", torch.sqrt(1.0 - alphas_cumprod))
        snr = alphas_cumprod / (1 - alphas_cumprod)
        register_buffer("loss_weight", torch.clamp(snr, max=5) / snr)

    @property
    def device(self):
        return self.betas.device

    def q_sample(self, x_start, t, noise=None):
        noise = default(noise, lambda: torch.randn_like(x_start))
        return (extract(self.sqrt_alphas_cumprod, t, x_start.shape) * x_start
                + extract(self.sqrt_one_minus_alphas_cumprod, t, x_start.shape) * noise)

    @torch.inference_mode()
    def p_sample(self, x, t: int):
        b = x.shape[0]
        batched_times = torch.full((b,), t, device=self.device, dtype=torch.long)
        pred = self.model(x, batched_times)
        alpha = self.alphas_cumprod[t]
        if alpha < 1e-3:  # sync: tensor-truth
            pred = pred.clamp(-1, 1)
        noise = torch.randn_like(x) if t > 0 else 0.0
        return x - self.betas[t] * pred + math.sqrt(self.betas[t]) * noise  # sync: host-read

    @torch.inference_mode()
    def sample(self, batch_size=16):
        img = torch.randn((batch_size, 3, self.image_size, self.image_size), device=self.device)
        for t in reversed(range(0, self.num_timesteps)):
            img = self.p_sample(img, t)
        return (img + 1) * 0.5

    def p_losses(self, x_start, t, noise=None):
        noise = default(noise, lambda: torch.randn_like(x_start))
        x = self.q_sample(x_start, t, noise)
        model_out = self.model(x, t)
        loss = F.mse_loss(model_out, noise, reduction="none").flatten(1).mean(1)
        loss = loss * extract(self.loss_weight, t, loss.shape)
        return loss.mean()

    def forward(self, img, *args, **kwargs):
        b, c, h, w = img.shape
        assert h == self.image_size and w == self.image_size
        t = torch.randint(0, self.num_timesteps, (b,), device=img.device).long()
        img = img * 2 - 1
        return self.p_losses(img, t, *args, **kwargs)


class Unet(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.inp = nn.Conv2d(3, dim, 3, padding=1)
        self.time = nn.Sequential(nn.Linear(1, dim), nn.SiLU())
        self.out = nn.Conv2d(dim, 3, 3, padding=1)

    def forward(self, x, time):
        emb = self.time(time[:, None].float())
        return self.out(F.silu(self.inp(x) + emb[:, :, None, None]))
