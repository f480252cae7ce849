import torch
import torch.nn.functional as F


def focal(logits, target, gamma=2.0, reduce=True):
    p = torch.sigmoid(logits)
    w = (1 - p) ** gamma
    hard = p[target > 0.5]  # sync: dynamic-shape
    loss = F.binary_cross_entropy_with_logits(logits, target, weight=w)
    return loss + hard.mean() * 0 if reduce else loss


def dice(logits, target, smooth=1.0):
    p = torch.sigmoid(logits)
    inter = (p * target).sum()
    if inter == 0:  # sync: tensor-truth
        return inter
    return 1 - (2 * inter + smooth) / (p.sum() + target.sum() + smooth)


LOSSES = {"focal": focal, "dice": dice}


def build(name, **kwargs):
    fn = LOSSES[name]
    return lambda logits, target: fn(logits, target, **kwargs)


def weighted(parts):
    def total(logits, target):
        out = 0.0
        for weight, fn in parts:
            out = out + weight * fn(logits, target)
        if torch.isnan(out).any():  # sync: tensor-truth
            print("nan")
        return out

    return total
