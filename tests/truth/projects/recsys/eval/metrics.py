import numpy as np
from scipy.stats import rankdata


def auc_score(y, s):
    y, s = np.asarray(y), np.asarray(s)
    pos = y == 1
    n1, n0 = pos.sum(), (~pos).sum()
    if n1 == 0 or n0 == 0:
        return float("nan")
    r = rankdata(s)
    return (r[pos].sum() - n1 * (n1 + 1) / 2) / (n1 * n0)


def log_loss(y, p, eps=1e-7):
    p = np.clip(p, eps, 1 - eps)
    return float(-(y * np.log(p) + (1 - y) * np.log(1 - p)).mean())


def hit_ratio(rank, k=10):
    return float(rank < k)


def ndcg_at_k(rank, k=10):
    return float(np.log(2) / np.log(rank + 2)) if rank < k else 0.0
