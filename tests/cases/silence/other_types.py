"""isinstance of a list, a dict or an array: on that side the value is no tensor."""
import numpy as np
import torch


def encode(image, quality: int = 75):
    if isinstance(image, list):
        if not image:
            raise ValueError("empty")
        return [encode(one, quality) for one in image]
    if isinstance(image, np.ndarray):
        if image.any():
            return image.tolist()
        return float(image.max())
    if isinstance(image, dict):
        if image:
            return {key: encode(value) for key, value in image.items()}
    return image * quality


def all_of(images: torch.Tensor):
    for i in range(images.shape[0]):
        product = images[i] @ images[i]
        encode(product)
