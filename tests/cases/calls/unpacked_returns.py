"""What is unpacked into so many names is of the returns that have as many parts: of a function that returns one tensor, or
more or fewer of them, as its arguments say."""
import torch
from torch import nn


class Sampler(nn.Module):
    def prepare(self, latents, frames: int, device):
        if latents is not None:
            return latents.to(device)
        count = frames // 4
        return torch.randn(1, count, 8, device=device), count, [1, 2]

    def measure(self, x, full: bool):
        norm = x.norm()
        if full:
            return norm, x.mean(), "all"
        return 3, norm

    def forward(self, x, latents: torch.Tensor | None = None, frames: int = 8):
        latents, count, shape = self.prepare(latents, frames, x.device)
        count  # is: number
        for i in range(count):
            latents = latents + x
            if count > i and shape[0] > 0:
                latents = latents * 2
        rounds, norm = self.measure(latents, x.ndim > 2)
        rounds  # is: number
        if norm.item() > 3:  # sync: host-read
            latents = latents / norm
        return latents, rounds


def shorten(cache, mask: torch.Tensor):
    cut = mask.sum()
    return [(key[..., : cut + 1, :], value[cut:]) for key, value in cache.load()]  # sync: host-read x2
