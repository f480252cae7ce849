import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from scipy.stats import rankdata


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, alpha=0.75, smoothing=0.0):
        super().__init__()
        self.gamma, self.alpha, self.smoothing = gamma, alpha, smoothing

    def forward(self, logits, y):
        logits = logits.float()
        soft = y * (1 - self.smoothing) + 0.5 * self.smoothing
        bce = F.binary_cross_entropy_with_logits(logits, soft, reduction="none")
        p = torch.sigmoid(logits)
        pt = p * y + (1 - p) * (1 - y)
        at = self.alpha * y + (1 - self.alpha) * (1 - y)
        return (at * (1 - pt) ** self.gamma * bce).mean()


class ModelEMA:
    def __init__(self, model, decay):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        msd = model.state_dict()
        for k, v in self.module.state_dict().items():
            if v.dtype.is_floating_point:
                v.mul_(self.decay).add_(msd[k].detach(), alpha=1 - self.decay)
            else:
                v.copy_(msd[k])


def roc_auc(y, p):
    y = y.astype(bool)
    n1, n0 = y.sum(), (~y).sum()
    return float((rankdata(p)[y].sum() - n1 * (n1 + 1) / 2) / (n1 * n0))


def average_precision(y, p):
    order = np.argsort(-p)
    hits = y[order]
    prec = np.cumsum(hits) / np.arange(1, len(y) + 1)
    return float((prec * hits).sum() / max(hits.sum(), 1))


def best_f1(y, p):
    best = (0.0, 0.5)
    for t in np.quantile(p, np.linspace(0.5, 0.99, 50)):
        pred = p >= t
        tp = (pred & (y == 1)).sum()
        f1 = 2 * tp / max(pred.sum() + y.sum(), 1)
        if f1 > best[0]:
            best = (float(f1), float(t))
    return best
