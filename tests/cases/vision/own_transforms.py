"""Transforms of one's own in a Compose run in the loader, on the CPU; the same work in a layer is the GPU's."""
import torch
import torch.nn as nn
import torchvision.transforms as T
from torch import Tensor


class PhaseShift:
    def __init__(self, low, high):
        self.dist = torch.distributions.Uniform(low, high)

    def __call__(self, image: Tensor) -> Tensor:
        theta = self.dist.sample().to(image.device)
        if image.max() > 1:
            image = image / image.max().item()
        return image * torch.exp(1j * theta)


class Clip:
    def __call__(self, image: Tensor) -> Tensor:
        return image.clamp(0, image.max().item())


class Scale(nn.Module):
    def forward(self, image: Tensor) -> Tensor:
        return image / image.max().item()  # sync: host-read


def build(size):
    steps = [T.RandomResizedCrop(size), T.ToTensor(), Clip(), T.RandomApply([PhaseShift(0.0, 1.0)], p=0.5), Scale()]
    return T.Compose(steps)
