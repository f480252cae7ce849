import numpy as np
import torch


class SegMetric:
    def __init__(self, n=4):
        self.n, self.conf = n, np.zeros((n, n))

    def update(self, pred, gt):
        p, g = pred.argmax(1).flatten().cpu().numpy(), gt.flatten().cpu().numpy()
        ok = g >= 0
        self.conf += np.bincount(self.n * g[ok] + p[ok], minlength=self.n ** 2).reshape(self.n, self.n)

    def score(self):
        inter = np.diag(self.conf)
        iou = inter / np.maximum(self.conf.sum(0) + self.conf.sum(1) - inter, 1)
        return {"mIoU": iou.mean(), "pixAcc": inter.sum() / self.conf.sum()}


class DepthMetric:
    def __init__(self):
        self.abs, self.rel, self.bs = [], [], []

    def update(self, pred, gt):
        mask = gt > 0
        err = (pred[mask] - gt[mask]).abs()
        self.abs.append(err.mean().item())
        self.rel.append((err / gt[mask]).mean().item())
        self.bs.append(pred.size(0))

    def score(self):
        w = np.array(self.bs) / sum(self.bs)
        return {"absErr": (np.array(self.abs) * w).sum(), "relErr": (np.array(self.rel) * w).sum()}


class NormalMetric:
    def __init__(self):
        self.record = []

    def update(self, pred, gt):
        cos = (pred * gt).sum(1).clamp(-1, 1)
        self.record.append(torch.rad2deg(torch.acos(cos)).flatten().cpu())

    def score(self):
        r = torch.cat(self.record)
        return {"mean": r.mean().item(), "median": r.median().item(), "<22.5": (r < 22.5).float().mean().item()}


def make_metrics():
    return {"semantic": SegMetric(), "depth": DepthMetric(), "normal": NormalMetric()}


# (metric, sign, single task baseline) used for delta_m
BASELINES = {("semantic", "mIoU"): (1, 0.60), ("depth", "absErr"): (0, 0.20), ("normal", "mean"): (0, 20.0)}


def delta_m(scores):
    d = [(-1) ** s * (scores[t][m] - b) / b for (t, m), (s, b) in BASELINES.items()]
    return 100 * sum(d) / len(d)
