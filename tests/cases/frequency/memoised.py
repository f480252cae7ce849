# A memoised function runs once for each of its arguments, which a run seldom changes: possible. A cached property runs once
# for each object: a note.
from functools import cached_property, lru_cache

import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 8, 3)

    @lru_cache(maxsize=32)
    def anchors(self, shapes, size: float = 0.1, device="cuda"):
        return torch.tensor([[h * size, w * size] for h, w in shapes], device=device)  # spurious: tensor-from-host note

    @cached_property
    def offset(self):
        return self.body.bias.sum().item()  # sync: host-read note

    def forward(self, images):
        found = self.body(images)
        return found.mean() + self.anchors(((1, 2), (3, 4)), 0.2, images.device).sum() + self.offset


def train(loader):
    detector = Detector().cuda()
    for images in loader:
        detector(images.cuda()).backward()  # sync: copy-to-device
