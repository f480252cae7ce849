import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

try:
    from tqdm.auto import tqdm
except ImportError:
    def tqdm(it, *args, **kwargs):
        return it


def default(val, d):
    if val is not None:
        return val
    return d() if callable(d) else d


def extract(a, t, x_shape):
    b, *_ = t.shape
    out = a.gather(-1, t)
    return out.reshape(b, *((1,) * (len(x_shape) - 1)))


def cosine_beta_schedule(timesteps, s=0.008):
    steps = timesteps + 1
    t = torch.linspace(0, timesteps, steps, dtype=torch.float64) / timesteps
    alphas_cumprod = torch.cos((t + s) / (1 + s) * math.pi * 0.5) ** 2
    alphas_cumprod = alphas_cumprod / alphas_cumprod[0]
    betas = 1 - (alphas_cumprod[1:] / alphas_cumprod[:-1])
    return torch.clip(betas, 0, 0.999)


class GaussianDiffusion(nn.Module):
    def __init__(self, model, *, image_size, timesteps=1000, loss_type='l2', min_snr_gamma=None):
        super().__init__()
        self.model = model
        self.channels = model.channels
        self.image_size = image_size
        self.loss_type = loss_type

        betas = cosine_beta_schedule(timesteps)
        alphas = 1. - betas
        alphas_cumprod = torch.cumprod(alphas, dim=0)
        alphas_cumprod_prev = F.pad(alphas_cumprod[:-1], (1, 0), value=1.)
        self.num_timesteps = int(betas.shape[0])

        # helper function to register buffer from float64 to float32
        register_buffer = lambda name, val: self.register_buffer(name, val.to(torch.float32))
        register_buffer('betas', betas)
        register_buffer('alphas_cumprod', alphas_cumprod)
        register_buffer('sqrt_alphas_cumprod', torch.sqrt(alphas_cumprod))
        register_buffer('sqrt_one_minus_alphas_cumprod', torch.sqrt(1. - alphas_cumprod))
        register_buffer('sqrt_recip_alphas_cumprod', torch.sqrt(1. / alphas_cumprod))
        register_buffer('sqrt_recipm1_alphas_cumprod', torch.sqrt(1. / alphas_cumprod - 1))
        posterior_variance = betas * (1. - alphas_cumprod_prev) / (1. - alphas_cumprod)
        register_buffer('posterior_log_variance_clipped', torch.log(posterior_variance.clamp(min=1e-20)))
        register_buffer('posterior_mean_coef1', betas * torch.sqrt(alphas_cumprod_prev) / (1. - alphas_cumprod))
        register_buffer('posterior_mean_coef2',
                        (1. - alphas_cumprod_prev) * torch.sqrt(alphas) / (1. - alphas_cumprod))
        snr = alphas_cumprod / (1 - alphas_cumprod)
        if min_snr_gamma is not None:
            register_buffer('loss_weight', snr.clone().clamp(max=min_snr_gamma) / snr)
        else:
            register_buffer('loss_weight', torch.ones_like(snr))

    @property
    def device(self):
        return self.betas.device

    def predict_start_from_noise(self, x_t, t, noise):
        return (extract(self.sqrt_recip_alphas_cumprod, t, x_t.shape) * x_t -
                extract(self.sqrt_recipm1_alphas_cumprod, t, x_t.shape) * noise)

    def p_mean_variance(self, x, t, clip_denoised=True):
        x_start = self.predict_start_from_noise(x, t, self.model(x, t))
        if clip_denoised:
            x_start.clamp_(-1., 1.)
        mean = extract(self.posterior_mean_coef1, t, x.shape) * x_start + \
            extract(self.posterior_mean_coef2, t, x.shape) * x
        return mean, extract(self.posterior_log_variance_clipped, t, x.shape), x_start

    @torch.inference_mode()
    def p_sample(self, x, t: int):
        batched_times = torch.full((x.shape[0],), t, device=self.device, dtype=torch.long)
        model_mean, model_log_variance, x_start = self.p_mean_variance(x, batched_times)
        noise = torch.randn_like(x) if t > 0 else 0.  # no noise if t == 0
        return model_mean + (0.5 * model_log_variance).exp() * noise, x_start

    @torch.inference_mode()
    def sample(self, batch_size=16):
        img = torch.randn((batch_size, self.channels, self.image_size, self.image_size), device=self.device)
        for t in tqdm(reversed(range(0, self.num_timesteps)), desc='sampling loop time step',
                      total=self.num_timesteps):
            img, _ = self.p_sample(img, t)
        return (img + 1) * 0.5

    def q_sample(self, x_start, t, noise=None):
        noise = default(noise, lambda: torch.randn_like(x_start))
        return (extract(self.sqrt_alphas_cumprod, t, x_start.shape) * x_start +
                extract(self.sqrt_one_minus_alphas_cumprod, t, x_start.shape) * noise)

    def forward(self, img):
        b, c, h, w = img.shape
        assert h == self.image_size and w == self.image_size, f'height and width must be {self.image_size}'
        t = torch.randint(0, self.num_timesteps, (b,), device=img.device).long()
        img = img * 2 - 1
        noise = torch.randn_like(img)
        x = self.q_sample(x_start=img, t=t, noise=noise)
        loss_fn = F.l1_loss if self.loss_type == 'l1' else F.mse_loss
        loss = loss_fn(self.model(x, t), noise, reduction='none')
        loss = loss.flatten(1).mean(dim=1)
        loss = loss * extract(self.loss_weight, t, loss.shape)
        return loss.mean()
