# options: --min-confidence possible
"""A file that asks PyTorch for what it has no more cannot be imported with today's: what it does is possible, with an older one."""
import torch
from torch.autograd.gradcheck import zero_gradients


def attack(model: torch.nn.Module, images, steps):
    images = images.cuda()
    for _ in range(steps):
        loss = model(images).sum()
        zero_gradients(images)
        loss.backward()
        print(loss.item())  # sync: host-read possible
