import itertools

import numpy as np
import torch
import torch.nn.functional as F


def gaussian_importance(patch_size, sigma_scale=0.125, device="cpu"):
    axes = [torch.arange(p, dtype=torch.float32, device=device) - (p - 1) / 2 for p in patch_size]
    gs = [torch.exp(-0.5 * (a / (p * sigma_scale)) ** 2) for a, p in zip(axes, patch_size)]
    w = gs[0][:, None, None] * gs[1][None, :, None] * gs[2][None, None, :]
    w = w / w.max()
    w[w == 0] = w[w != 0].min().item()
    return w


def window_starts(shape, patch, overlap):
    starts = []
    for s, p in zip(shape, patch):
        step = max(int(p * (1 - overlap)), 1)
        n = int(np.ceil(max(s - p, 0) / step)) + 1
        starts.append([min(i * step, max(s - p, 0)) for i in range(n)])
    return list(itertools.product(*starts))


@torch.no_grad()
def sliding_window_inference(volume, patch_size, sw_batch_size, model, n_classes, overlap=0.5, tta=False):
    """volume: (1, D, H, W) on cpu or gpu. Returns probabilities (C, D, H, W) on the device of the model."""
    device = next(model.parameters()).device
    pads = []
    for s, p in list(zip(volume.shape[1:], patch_size))[::-1]:
        d = max(p - s, 0)
        pads += [d // 2, d - d // 2]
    volume = F.pad(volume, pads)
    shape = volume.shape[1:]
    scores = torch.zeros((n_classes, *shape), device=device)
    counts = torch.zeros(shape, device=device)
    weight = gaussian_importance(patch_size, device=device)
    coords = window_starts(shape, patch_size, overlap)
    flips = [()] + ([(2,), (3,), (4,)] if tta else [])
    for i in range(0, len(coords), sw_batch_size):
        chunk = coords[i:i + sw_batch_size]
        slices = [tuple(slice(c, c + p) for c, p in zip(co, patch_size)) for co in chunk]
        batch = torch.stack([volume[(slice(None),) + s] for s in slices]).to(device)
        prob = 0
        for f in flips:
            x = torch.flip(batch, f) if f else batch
            y = model(x).float().softmax(1)
            prob = prob + (torch.flip(y, f) if f else y)
        prob = prob / len(flips)
        for s, p in zip(slices, prob):
            scores[(slice(None),) + s] += p * weight
            counts[s] += weight
    scores /= counts
    crop = tuple(slice(pads[2 * (2 - i)], scores.shape[i + 1] - pads[2 * (2 - i) + 1]) for i in range(3))
    return scores[(slice(None),) + crop]
