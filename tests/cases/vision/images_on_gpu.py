"""Geometry, colour and grids that stay on the GPU."""
import torch
import torchvision
import torchvision.transforms.functional as TF
from torchvision.utils import make_grid, save_image

device = torch.device("cuda")
model = torchvision.models.resnet18().to(device)
mean = torch.full((3, 1, 1), 0.5, device=device)
std = torch.full((3, 1, 1), 0.2, device=device)
for step in range(100):
    images = torch.rand(4, 3, 64, 64, device=device)
    model(images).sum().backward()
    small = TF.resize(images, [32, 32])
    flipped = TF.hflip(TF.center_crop(small, [16, 16]))
    bright = TF.adjust_brightness(images, 1.2)
    normed = (images - mean) / std
    grid = make_grid(images)
    ranged = make_grid(images, normalize=True, value_range=(0, 1))
