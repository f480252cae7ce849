import torch
import torch.nn as nn
import torch.nn.functional as F


class DiceCELoss(nn.Module):
    def __init__(self, n_classes, smooth=1e-5, ce_weight=None):
        super().__init__()
        self.n_classes, self.smooth = n_classes, smooth
        self.ce = nn.CrossEntropyLoss(weight=ce_weight)

    def forward(self, logits, target):
        p = logits.float().softmax(1)
        t = F.one_hot(target, self.n_classes).permute(0, 4, 1, 2, 3).float()
        dims = (0, 2, 3, 4)
        inter, denom = (p * t).sum(dims), p.sum(dims) + t.sum(dims)
        dice = 1 - ((2 * inter + self.smooth) / (denom + self.smooth))[1:].mean()
        ce = self.ce(logits.float(), target)
        return dice + ce, {"dice_loss": dice, "ce_loss": ce}


class DeepSupervision(nn.Module):
    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, outs, target):
        if not isinstance(outs, (list, tuple)):
            return self.loss(outs, target)
        total, norm, parts = 0, 0, None
        for i, o in enumerate(outs):
            w = 0.5 ** i
            t = target
            if o.shape[2:] != target.shape[1:]:
                t = F.interpolate(target[:, None].float(), size=o.shape[2:], mode="nearest")[:, 0].long()
            l, p = self.loss(o, t)
            total, norm = total + w * l, norm + w
            parts = parts or p
        return total / norm, parts
