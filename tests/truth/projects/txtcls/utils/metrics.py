import numpy as np


def confusion_matrix(y_true, y_pred, num_classes):
    cm = np.zeros((num_classes, num_classes), dtype=np.int64)
    np.add.at(cm, (y_true, y_pred), 1)
    return cm


def precision_recall_f1(y_true, y_pred, num_classes, average="macro"):
    cm = confusion_matrix(y_true, y_pred, num_classes)
    tp = np.diag(cm).astype(float)
    p = tp / np.maximum(cm.sum(0), 1)
    r = tp / np.maximum(cm.sum(1), 1)
    f = np.where(p + r > 0, 2 * p * r / np.maximum(p + r, 1e-12), 0.0)
    if average == "macro":
        return p.mean(), r.mean(), f.mean()
    if average == "weighted":
        w = cm.sum(1) / cm.sum()
        return (p * w).sum(), (r * w).sum(), (f * w).sum()
    return p, r, f


def classification_report(y_true, y_pred, names):
    p, r, f = precision_recall_f1(y_true, y_pred, len(names), average=None)
    lines = ["%12s %9s %9s %9s" % ("", "precision", "recall", "f1")]
    for i, n in enumerate(names):
        lines.append("%12s %9.3f %9.3f %9.3f" % (n, p[i], r[i], f[i]))
    return "\n".join(lines)


class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self, name=""):
        self.name = name
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count
