"""Columns of a CPU tensor of coordinates, coords[:, 0], have a dimension, so they are copied to the GPU; a single row's
number need not be."""
import numpy as np
import torch
from torch import optim


def train(model, images, poses, rays_per_step: int, steps: int):
    device = torch.device("cuda")
    model = model.to(device)
    optimizer = optim.Adam(model.parameters(), lr=5e-4)
    images = torch.Tensor(images).to(device)
    height, width = images.shape[1:3]
    for step in range(steps):
        picture = images[np.random.choice(len(poses))]
        directions = torch.rand(height, width, 3, device=device)
        grid = torch.stack(torch.meshgrid(torch.linspace(0, height - 1, height), torch.linspace(0, width - 1, width), indexing="ij"), -1)
        grid = torch.reshape(grid, [-1, 2])
        chosen = np.random.choice(grid.shape[0], size=[rays_per_step], replace=False)
        coords = grid[chosen].long()
        rays = directions[coords[:, 0], coords[:, 1]]  # sync: index-from-host certain
        target = picture[coords[:, 0], coords[:, 1]]  # sync: index-from-host certain
        corner = picture[coords[0, 0], coords[0, 1]]
        loss = (model(rays) - target).square().mean() + corner.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def parts(batch):
    mean, spread = torch.unbind(batch, -1)
    return mean * mean + spread * spread


def evaluate(model, loader, named: bool):
    for x in loader:
        out = model(x.cuda())  # sync: copy-to-device
        parts({"out": out} if named else out)
