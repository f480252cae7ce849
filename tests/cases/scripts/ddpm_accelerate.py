"""Unconditional DDPM with EMA weights, accelerate, DDIM sampling and a small FID at the end of some epochs."""
import argparse
import copy
import math
import os
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator
from torch.optim import AdamW
from torch.utils.data import DataLoader
from torchvision import datasets, transforms, utils as tvu
from tqdm.auto import tqdm


def cosine_beta_schedule(timesteps, s=0.008):
    steps = timesteps + 1
    x = torch.linspace(0, timesteps, steps, dtype=torch.float64)
    alphas_cumprod = torch.cos(((x / timesteps) + s) / (1 + s) * math.pi * 0.5) ** 2
    alphas_cumprod = alphas_cumprod / alphas_cumprod[0]
    betas = 1 - (alphas_cumprod[1:] / alphas_cumprod[:-1])
    return torch.clip(betas, 0, 0.999)


def extract(a, t, x_shape):
    b, *_ = t.shape
    out = a.gather(-1, t)
    return out.reshape(b, *((1,) * (len(x_shape) - 1)))


class EMA:
    def __init__(self, model, decay=0.9999, update_every=10):
        self.ema_model = copy.deepcopy(model).eval().requires_grad_(False)
        self.model = model
        self.decay = decay
        self.update_every = update_every
        self.step = 0

    def update(self):
        self.step += 1
        if self.step % self.update_every != 0:
            return
        with torch.no_grad():
            for p_ema, p in zip(self.ema_model.parameters(), self.model.parameters()):
                p_ema.lerp_(p, 1 - self.decay)
            for b_ema, b in zip(self.ema_model.buffers(), self.model.buffers()):
                b_ema.copy_(b)  # spurious: copy-to-device note


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, t):
        half = self.dim // 2
        freqs = torch.exp(torch.arange(half, device=t.device) * -(math.log(10000) / (half - 1)))
        emb = t[:, None] * freqs[None, :]
        return torch.cat([emb.sin(), emb.cos()], dim=-1)


class TinyUNet(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.time = nn.Sequential(TimeEmbedding(dim), nn.Linear(dim, dim * 4), nn.SiLU(), nn.Linear(dim * 4, dim))
        self.inc = nn.Conv2d(3, dim, 3, padding=1)
        self.down = nn.ModuleList([nn.Conv2d(dim, dim, 4, 2, 1) for _ in range(3)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(dim, dim, 4, 2, 1) for _ in range(3)])
        self.out = nn.Conv2d(dim, 3, 1)

    def forward(self, x, t):
        temb = self.time(t)[:, :, None, None]
        x = self.inc(x)
        skips = []
        for layer in self.down:
            x = F.silu(layer(x) + temb)
            skips.append(x)
        for layer in self.up:
            x = F.silu(layer(x + skips.pop()))
        return self.out(x)


class GaussianDiffusion(nn.Module):
    def __init__(self, model, image_size=32, timesteps=1000, sampling_timesteps=50, min_snr_gamma=5):
        super().__init__()
        self.model = model
        self.image_size = image_size
        self.num_timesteps = timesteps
        self.sampling_timesteps = sampling_timesteps
        betas = cosine_beta_schedule(timesteps)
        alphas_cumprod = torch.cumprod(1.0 - betas, dim=0)
        register = lambda name, val: self.register_buffer(name, val.to(torch.float32))
        register("betas", betas)
        register("alphas_cumprod", alphas_cumprod)
        register("sqrt_alphas_cumprod", alphas_cumprod.sqrt())
        register("sqrt_one_minus_alphas_cumprod", (1.0 - alphas_cumprod).sqrt())
        snr = alphas_cumprod / (1 - alphas_cumprod)
        register("loss_weight", snr.clamp(max=min_snr_gamma) / snr)

    @property
    def device(self):
        return self.betas.device

    @torch.inference_mode()
    def ddim_sample(self, shape, eta=0.0):
        times = torch.linspace(-1, self.num_timesteps - 1, steps=self.sampling_timesteps + 1)
        times = list(reversed(times.int().tolist()))
        pairs = list(zip(times[:-1], times[1:]))
        img = torch.randn(shape, device=self.device)
        imgs = [img]
        for time, time_next in tqdm(pairs, desc="sampling"):
            cond = torch.full((shape[0],), time, device=self.device, dtype=torch.long)
            eps = self.model(img, cond)
            a = self.alphas_cumprod[time]
            x0 = ((img - (1 - a).sqrt() * eps) / a.sqrt()).clamp(-1, 1)
            if time_next < 0:
                img = x0
                imgs.append(img)
                continue
            a_next = self.alphas_cumprod[time_next]
            sigma = eta * ((1 - a / a_next) * (1 - a_next) / (1 - a)).sqrt()
            c = (1 - a_next - sigma ** 2).sqrt()
            if sigma > 0:  # sync: tensor-truth
                noise = torch.randn_like(img)
            else:
                noise = 0.0
            img = x0 * a_next.sqrt() + c * eps + sigma * noise
            imgs.append(img)
        return (img + 1) * 0.5

    def forward(self, img):
        b = img.shape[0]
        t = torch.randint(0, self.num_timesteps, (b,), device=img.device).long()
        noise = torch.randn_like(img)
        x = extract(self.sqrt_alphas_cumprod, t, img.shape) * img + extract(self.sqrt_one_minus_alphas_cumprod, t, img.shape) * noise
        loss = F.mse_loss(self.model(x, t), noise, reduction="none").mean(dim=(1, 2, 3))
        return (loss * self.loss_weight[t]).mean()


class Trainer:
    def __init__(self, diffusion, folder, *, batch_size=64, lr=1e-4, steps=100000, accumulate=2, save_every=1000, results="./results"):
        self.accelerator = Accelerator(mixed_precision="fp16", gradient_accumulation_steps=accumulate)
        self.model = diffusion
        ds = datasets.ImageFolder(folder, transforms.Compose([transforms.Resize(32), transforms.CenterCrop(32), transforms.ToTensor()]))
        dl = DataLoader(ds, batch_size=batch_size, shuffle=True, pin_memory=True, num_workers=8)
        dl = self.accelerator.prepare(dl)
        self.dl = self.cycle(dl)
        self.opt = AdamW(diffusion.parameters(), lr=lr)
        self.step = 0
        self.steps = steps
        self.save_every = save_every
        self.accumulate = accumulate
        self.results = Path(results)
        if self.accelerator.is_main_process:
            self.ema = EMA(diffusion).ema_model
            self.ema_helper = EMA(diffusion)
            self.ema_helper.ema_model.to(self.device)
        self.model, self.opt = self.accelerator.prepare(self.model, self.opt)

    @staticmethod
    def cycle(dl):
        while True:
            for data in dl:  # sync: copy-to-device
                yield data

    @property
    def device(self):
        return self.accelerator.device

    def save(self, milestone):
        if not self.accelerator.is_local_main_process:
            return
        data = {"step": self.step, "model": self.accelerator.get_state_dict(self.model), "opt": self.opt.state_dict(),
                "ema": self.ema_helper.ema_model.state_dict()}
        torch.save(data, str(self.results / f"model-{milestone}.pt"))  # sync: copy-to-host note

    def train(self):
        accelerator = self.accelerator
        with tqdm(initial=self.step, total=self.steps, disable=not accelerator.is_main_process) as pbar:
            while self.step < self.steps:
                total_loss = 0.0
                for _ in range(self.accumulate):
                    data, _ = next(self.dl)
                    data = data.to(self.device)
                    with accelerator.autocast():
                        loss = self.model(data) / self.accumulate
                        total_loss += loss.item()  # sync: host-read
                    accelerator.backward(loss)
                pbar.set_description(f"loss: {total_loss:.4f}")
                grad_norm = accelerator.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                self.opt.zero_grad()
                self.step += 1
                if accelerator.is_main_process:
                    self.ema_helper.update()
                    if self.step % 100 == 0:
                        accelerator.log({"grad_norm": grad_norm.item()}, step=self.step)  # sync: host-read note
                    if self.step != 0 and self.step % self.save_every == 0:
                        self.ema_helper.ema_model.eval()
                        milestone = self.step // self.save_every
                        images = [self.ema_helper.ema_model.ddim_sample((n, 3, 32, 32)) for n in (16, 9)]
                        images = torch.cat(images, dim=0)
                        tvu.save_image(images, str(self.results / f"sample-{milestone}.png"), nrow=5)  # sync: library-wait note
                        self.save(milestone)
                pbar.update(1)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("folder")
    a = p.parse_args()
    Trainer(GaussianDiffusion(TinyUNet()), a.folder).train()
