"""Diffusion training after Karras et al., an exponential average of the weights, and three samplers."""
import argparse
import copy
import math
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms, utils


def append_dims(x, target_dims):
    return x[(...,) + (None,) * (target_dims - x.ndim)]


def append_zero(x):
    return torch.cat([x, x.new_zeros([1])])


def get_sigmas_karras(n, sigma_min, sigma_max, rho=7.0, device="cpu"):
    ramp = torch.linspace(0, 1, n)
    min_inv_rho = sigma_min ** (1 / rho)
    max_inv_rho = sigma_max ** (1 / rho)
    sigmas = (max_inv_rho + ramp * (min_inv_rho - max_inv_rho)) ** rho
    return append_zero(sigmas).to(device)  # sync: copy-to-device note


def to_d(x, sigma, denoised):
    return (x - denoised) / append_dims(sigma, x.ndim)


def get_ancestral_step(sigma_from, sigma_to, eta=1.0):
    if not eta:
        return sigma_to, 0.0
    sigma_up = min(sigma_to, eta * (sigma_to ** 2 * (sigma_from ** 2 - sigma_to ** 2) / sigma_from ** 2) ** 0.5)  # sync: tensor-truth note
    sigma_down = (sigma_to ** 2 - sigma_up ** 2) ** 0.5
    return sigma_down, sigma_up


@torch.no_grad()
def sample_heun(model, x, sigmas, extra_args=None, callback=None, s_churn=0.0, s_tmin=0.0, s_tmax=float("inf"), s_noise=1.0):
    extra_args = {} if extra_args is None else extra_args
    s_in = x.new_ones([x.shape[0]])
    for i in range(len(sigmas) - 1):
        gamma = min(s_churn / (len(sigmas) - 1), 2 ** 0.5 - 1) if s_tmin <= sigmas[i] <= s_tmax else 0.0  # sync: tensor-truth
        sigma_hat = sigmas[i] * (gamma + 1)
        if gamma > 0:
            eps = torch.randn_like(x) * s_noise
            x = x + eps * (sigma_hat ** 2 - sigmas[i] ** 2) ** 0.5
        denoised = model(x, sigma_hat * s_in, **extra_args)
        d = to_d(x, sigma_hat, denoised)
        if callback is not None:
            callback({"x": x, "i": i, "sigma": sigmas[i], "denoised": denoised})
        dt = sigmas[i + 1] - sigma_hat
        if sigmas[i + 1] == 0:  # sync: tensor-truth
            x = x + d * dt
        else:
            x_2 = x + d * dt
            denoised_2 = model(x_2, sigmas[i + 1] * s_in, **extra_args)
            d_prime = (d + to_d(x_2, sigmas[i + 1], denoised_2)) / 2
            x = x + d_prime * dt
    return x


@torch.no_grad()
def sample_euler_ancestral(model, x, sigmas, extra_args=None, eta=1.0):
    extra_args = extra_args or {}
    s_in = x.new_ones([x.shape[0]])
    for i in range(len(sigmas) - 1):
        denoised = model(x, sigmas[i] * s_in, **extra_args)
        sigma_down, sigma_up = get_ancestral_step(sigmas[i], sigmas[i + 1], eta=eta)
        d = to_d(x, sigmas[i], denoised)
        x = x + d * (sigma_down - sigmas[i])
        if sigmas[i + 1] > 0:  # sync: tensor-truth note
            x = x + torch.randn_like(x) * sigma_up
    return x


SAMPLERS = {"heun": sample_heun, "euler_a": sample_euler_ancestral}


class Denoiser(nn.Module):
    def __init__(self, inner_model, sigma_data=0.5):
        super().__init__()
        self.inner_model = inner_model
        self.sigma_data = sigma_data

    def get_scalings(self, sigma):
        c_skip = self.sigma_data ** 2 / (sigma ** 2 + self.sigma_data ** 2)
        c_out = sigma * self.sigma_data / (sigma ** 2 + self.sigma_data ** 2) ** 0.5
        c_in = 1 / (sigma ** 2 + self.sigma_data ** 2) ** 0.5
        return c_skip, c_out, c_in

    def loss(self, input, noise, sigma, **kwargs):
        c_skip, c_out, c_in = [append_dims(x, input.ndim) for x in self.get_scalings(sigma)]
        noised = input + noise * append_dims(sigma, input.ndim)
        output = self.inner_model(noised * c_in, sigma.log() / 4, **kwargs)
        return ((output - (input - c_skip * noised) / c_out) ** 2).flatten(1).mean(1)

    def forward(self, input, sigma, **kwargs):
        c_skip, c_out, c_in = [append_dims(x, input.ndim) for x in self.get_scalings(sigma)]
        return self.inner_model(input * c_in, sigma.log() / 4, **kwargs) * c_out + input * c_skip


class UNet(nn.Module):
    def __init__(self, width=64, classes=10):
        super().__init__()
        self.embed = nn.Embedding(classes + 1, width)
        self.inp = nn.Conv2d(3, width, 3, padding=1)
        self.mid = nn.Conv2d(width, width, 3, padding=1)
        self.out = nn.Conv2d(width, 3, 3, padding=1)
        self.register_buffer("freqs", torch.exp(-math.log(10000) * torch.arange(width // 2) / (width // 2)))

    def forward(self, x, c_noise, class_cond=None):
        angles = c_noise[:, None] * self.freqs[None]
        h = F.silu(self.inp(x)) + torch.cat([angles.cos(), angles.sin()], -1)[:, :, None, None]
        if class_cond is not None:
            h = h + self.embed(class_cond)[:, :, None, None]
        return self.out(F.silu(self.mid(h)))


@torch.no_grad()
def ema_update(model, averaged, decay):
    params, ema_params = dict(model.named_parameters()), dict(averaged.named_parameters())
    for name, param in params.items():
        ema_params[name].lerp_(param, 1 - decay)
    for name, buffer in dict(model.named_buffers()).items():
        dict(averaged.named_buffers())[name].copy_(buffer)


class LossLog:
    def __init__(self, path):
        self.file = open(path, "w")
        self.by_sigma = {}

    def add(self, step, losses, sigma):
        for s, l in zip(sigma.tolist(), losses.tolist()):  # sync: host-read x2
            self.by_sigma.setdefault(round(math.log(s), 1), []).append(l)
        print(step, float(losses.mean()), file=self.file)  # sync: host-read


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=1e-4)
    p.add_argument("--sampler", default="heun", choices=list(SAMPLERS))
    p.add_argument("--demo-every", type=int, default=500)
    p.add_argument("--name", default="model")
    args = p.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5], [0.5])])
    train_set = datasets.CIFAR10("data", train=True, download=True, transform=tf)
    train_dl = DataLoader(train_set, args.batch_size, shuffle=True, drop_last=True, num_workers=4, pin_memory=True)
    inner = UNet().to(device)
    model, ema_model = Denoiser(inner), Denoiser(copy.deepcopy(inner))
    opt = torch.optim.AdamW(inner.parameters(), lr=args.lr, betas=(0.95, 0.999))
    log = LossLog(Path(args.name).with_suffix(".csv"))

    @torch.no_grad()
    def demo(step):
        x = torch.randn([16, 3, 32, 32], device=device) * 80
        sigmas = get_sigmas_karras(50, 1e-2, 80, device=device)
        cond = torch.randint(0, 10, [16], device=device)
        out = SAMPLERS[args.sampler](ema_model, x, sigmas, extra_args={"class_cond": cond})
        utils.save_image(out.clamp(-1, 1), f"{args.name}_{step:08}.png", nrow=4)  # sync: library-wait note

    step = 0
    while True:
        for reals, classes in train_dl:
            reals, classes = reals.to(device, non_blocking=True), classes.to(device, non_blocking=True)
            drop = torch.rand(classes.shape[0], device=device) < 0.1
            classes = torch.where(drop, torch.full_like(classes, 10), classes)
            noise = torch.randn_like(reals)
            sigma = torch.distributions.LogNormal(-1.2, 1.2).sample([reals.shape[0]]).to(device)  # sync: copy-to-device
            losses = model.loss(reals, noise, sigma, class_cond=classes)
            loss = losses.mean()
            loss.backward()
            grad_norm = nn.utils.clip_grad_norm_(inner.parameters(), 1.0)
            if not torch.isfinite(grad_norm):  # sync: tensor-truth
                opt.zero_grad(set_to_none=True)
                continue
            opt.step()
            opt.zero_grad(set_to_none=True)
            ema_update(model, ema_model, decay=0.9999)
            log.add(step, losses.detach(), sigma)
            if step % 25 == 0:
                print(f"step {step}, loss {loss.item():.4f}, |g| {grad_norm:g}")  # sync: host-read x2 note
            if step % args.demo_every == 0:
                demo(step)
            step += 1


if __name__ == "__main__":
    main()
