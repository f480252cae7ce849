"""The best of an array is one whole number, which indexes as Python's do; positions along an axis are an array."""
import numpy as np
import torch


def best_masks(model, loader):
    kept = []
    for images in loader:
        masks, scores = model(images.cuda())  # sync: copy-to-device
        quality = np.random.rand(len(masks), 3)
        for i in range(masks.shape[0]):
            best = np.argmax(quality[i])
            kept.append(masks[i, best])
            kept.append(masks[i, quality[i].argmin()])
        first = masks[quality.argmax(axis=0)]  # sync: index-from-host
        kept.append(first + masks[np.argmin(quality, 0)])  # sync: index-from-host
    return torch.stack(kept)
