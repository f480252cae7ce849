"""Sizes that come as an argument, elements of NumPy vectors, images: nothing of the GPU's."""
import torch
import torch.nn.functional as F
from PIL import Image
from scipy.optimize import linear_sum_assignment
from torch import nn


class Crop(nn.Module):
    def forward(self, img: Image.Image):
        width, height = img.size
        if width > height:
            return img.crop((0, 0, height, height))
        return img


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(3, 3, 1)

    def forward(self, x, mask_shape=None):
        masks = self.layer(x)
        if mask_shape is not None and mask_shape[0] != masks.shape[2]:
            masks = F.interpolate(masks, mask_shape, align_corners=False)
        return masks


def permute(out: torch.Tensor, picked: torch.Tensor, cost: torch.Tensor):
    for k1, k2 in zip(*linear_sum_assignment(cost.cpu())):  # sync: copy-to-host
        out[:, k1] = picked[:, k2]
    rows, cols = linear_sum_assignment(cost.cpu())  # sync: copy-to-host
    for row in rows:
        out[row] = picked[cols[0]]
    return out[rows]  # sync: index-from-host
