"""That a module's tensors are on the GPU is a convention: what is made where a buffer is, is likely there."""
import torch
from torch import nn


class Diffusion(nn.Module):
    def __init__(self, steps=100):
        super().__init__()
        self.net = nn.Conv2d(3, 3, 3, padding=1)
        self.steps = steps
        keep = lambda name, value: self.register_buffer(name, value.to(torch.float32))
        keep("betas", torch.linspace(0, 1, steps))

    def sample(self, shape):
        x = torch.randn(shape, device=self.betas.device)
        for _ in range(self.steps):
            x = x - self.net(x)
            print(x.mean().item())  # sync: host-read likely
        return x

    def guide(self, shape):
        x = torch.randn(shape, device=self.betas.device, requires_grad=True)
        for _ in range(self.steps):
            loss = self.net(x).square().mean()
            loss.backward()
            print(x.norm().item())  # sync: host-read likely
        return x
