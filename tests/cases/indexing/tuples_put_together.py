"""Indices put together of tuples are taken apart by the index; a list is looked up on the GPU."""
import numpy as np
import torch

sigma = torch.rand(8, device="cuda")
images = torch.rand(8, 3, 4, 4, device="cuda")

def rows(t, index):
    return t[(index,) + (slice(None), slice(None))]


for step in range(100):
    wide = sigma[(...,) + (None,) * (images.ndim - sigma.ndim)]
    picked = images[[0, 1] + [step % 8]]  # sync: index-from-host
    one = images[np.random.randint(8)]
    some = images[np.random.randint(0, 8, 4)]  # sync: index-from-host
    other = images[np.random.randint(8, size=4)]  # sync: index-from-host
    both = rows(images, 3), rows(images, step)
    scaled = wide * np.random.rand() + np.random.uniform(0.5, 1.0)
    loss = (scaled * images).mean() + picked.mean() + one.mean() + some.mean() + other.mean()
