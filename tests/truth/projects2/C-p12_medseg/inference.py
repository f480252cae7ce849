import itertools

import numpy as np
import torch


def gaussian_map(size, sigma=0.125):
    g = torch.ones(1)
    for s in size:
        x = torch.arange(s) - (s - 1) / 2
        g = g[..., None] * torch.exp(-0.5 * (x / (sigma * s)) ** 2)
    g = g[0]
    return (g / g.max()).clamp(min=1e-3)


def starts(dim, roi, overlap):
    step = max(1, int(roi * (1 - overlap)))
    s = list(range(0, max(dim - roi, 0) + 1, step))
    if s[-1] != dim - roi:
        s.append(dim - roi)
    return s


@torch.no_grad()
def sliding_window(model, image, roi, n_classes, overlap=0.5, sw_batch=4, flip_tta=False):
    """image: 1 x C x D x H x W"""
    dims = image.shape[2:]
    w = gaussian_map(roi).to(image.device)
    out = torch.zeros((n_classes, *dims), device=image.device)
    cnt = torch.zeros(dims, device=image.device)
    coords = list(itertools.product(*[starts(d, r, overlap) for d, r in zip(dims, roi)]))
    for i in range(0, len(coords), sw_batch):
        chunk = coords[i:i + sw_batch]
        x = torch.cat([image[:, :, a:a + roi[0], b:b + roi[1], c:c + roi[2]] for a, b, c in chunk])
        with torch.autocast("cuda", enabled=image.is_cuda):
            p = model(x).float().softmax(1)
            if flip_tta:
                for ax in (2, 3, 4):
                    p = p + model(x.flip(ax)).float().softmax(1).flip(ax)
                p = p / 4
        for (a, b, c), pi in zip(chunk, p):
            out[:, a:a + roi[0], b:b + roi[1], c:c + roi[2]] += pi * w
            cnt[a:a + roi[0], b:b + roi[1], c:c + roi[2]] += w
    return out / cnt


def dice_per_class(pred, gt, n_classes):
    res = []
    for k in range(1, n_classes):
        p, g = pred == k, gt == k
        if g.sum() == 0:
            res.append(np.nan if p.sum() == 0 else 0.0)
        else:
            res.append((2 * (p & g).sum() / (p.sum() + g.sum())).item())
    return res
