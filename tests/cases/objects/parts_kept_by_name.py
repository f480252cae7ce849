"""Parts that a method keeps under the names that its keywords have: each call tells which these are."""
import numpy as np
import torch
from torch import nn


class NoiseSchedule:
    def __init__(self, train_steps=1000):
        self.train_steps = train_steps

    def set_timesteps(self, steps, device=None):
        spaced = np.linspace(0, self.train_steps - 1, steps).round()[::-1].copy()
        self.timesteps = torch.from_numpy(spaced).to(device)  # sync: copy-to-device likely

    def step(self, noise, timestep, sample):
        strength = timestep.item() / self.train_steps  # sync: host-read likely
        return sample - strength * noise


class Denoiser(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x, t):
        return self.body(x) * t


class Settings:
    """Numbers and texts kept the same way are nothing to wait for."""

    def __init__(self, **values):
        for key, value in values.items():
            setattr(self, key, value)


class Parts:
    def register(self, **parts):
        for name, part in parts.items():
            if part is None:
                continue
            setattr(self, name, part)


class Sampler(Parts):
    def __init__(self, net: Denoiser, schedule: NoiseSchedule, settings: Settings = None):
        self.register(net=net, schedule=schedule)
        self.settings = settings or Settings(steps=50, guidance=1.5, kind="image")

    @torch.no_grad()
    def __call__(self, batch, device="cuda"):
        x = torch.randn(batch, 3, 32, 32, device=device)
        self.schedule.set_timesteps(self.settings.steps, device=device)
        for t in self.schedule.timesteps:
            if self.settings.guidance > 1 and self.settings.kind == "image":
                x = x * self.settings.guidance
            x = self.schedule.step(self.net(x, t), t, x)
        return x.clamp(-1, 1).cpu().numpy()  # sync: copy-to-host likely
