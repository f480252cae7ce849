# A memoised function runs once for each of its arguments, which a run seldom changes: possible; once in a run
# where all of them are devices, dtypes and literals. A cached property runs once for each object: a note.
from functools import cached_property, lru_cache

import torch
from torch import nn


@lru_cache(maxsize=None, typed=True)
def signs(device: torch.device, dtype: torch.dtype, flip=False):
    return torch.tensor([1, -1, 1] if flip else [1, 1, -1], device=device, dtype=dtype)


@lru_cache
def positions(length, device):
    return torch.tensor(list(range(length)), device=device)


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
        found = found * signs(found.device, found.dtype, True).sum() + positions(found.shape[0], found.device).sum()
        return found.mean() + self.anchors(((1, 2), (3, 4)), 0.2, images.device).sum() + self.offset


def train(loader):
    detector = Detector().cuda()
    for images in loader:
        detector(images.cuda()).backward()  # sync: copy-to-device
