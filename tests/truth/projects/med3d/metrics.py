import numpy as np
from scipy import ndimage


def dice_score(pred, gt):
    s = pred.sum() + gt.sum()
    return float("nan") if s == 0 else 2.0 * (pred & gt).sum() / s


def surface_distances(a, b, spacing):
    sa = a ^ ndimage.binary_erosion(a)
    sb = b ^ ndimage.binary_erosion(b)
    dt = ndimage.distance_transform_edt(~sb, sampling=spacing)
    return dt[sa]


def hd95(pred, gt, spacing):
    if not pred.any() or not gt.any():
        return float("nan")
    d = np.concatenate([surface_distances(pred, gt, spacing), surface_distances(gt, pred, spacing)])
    return float(np.percentile(d, 95))


def keep_largest(mask):
    lab, n = ndimage.label(mask)
    if n <= 1:
        return mask
    sizes = ndimage.sum(mask, lab, range(1, n + 1))
    return lab == (1 + int(np.argmax(sizes)))


class CaseMetrics:
    def __init__(self, classes, spacing):
        self.classes, self.spacing, self.rows = classes, spacing, []

    def add(self, case_id, pred, gt):
        row = {"id": case_id}
        for c, name in enumerate(self.classes):
            if c == 0:
                continue
            p, g = pred == c, gt == c
            row[f"dice_{name}"] = dice_score(p, g)
            row[f"hd95_{name}"] = hd95(p, g, self.spacing)
        self.rows.append(row)

    def mean(self):
        keys = [k for k in self.rows[0] if k != "id"]
        return {k: float(np.mean([0 if np.isnan(r[k]) else r[k] for r in self.rows])) for k in keys}
