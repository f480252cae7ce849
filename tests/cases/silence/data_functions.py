"""Functions that take tensors beside arrays or images prepare data: nobody in sight gives them anything of the GPU."""
import numpy as np
import torch
from PIL import Image


def rotate(image: torch.Tensor, corners: np.ndarray, angle: float):
    if image.max() > 1:
        image = image / 255
    return image, corners @ np.eye(2) * angle


def paste(background: Image.Image, mask: torch.Tensor):
    return background.crop(tuple(mask.nonzero()[0].tolist()))


def normalise(image: torch.Tensor):
    if image.max() > 1:  # sync: tensor-truth
        image = image / 255
    return image
