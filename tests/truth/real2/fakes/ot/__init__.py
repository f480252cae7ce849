"""A stand-in for POT: its solvers for small matrices, in numpy, as POT runs them for arrays."""
import numpy as np
from scipy.optimize import linear_sum_assignment


def unif(n):
    return np.ones(n) / n


def emd(a, b, M, **options):
    M = np.asarray(M)
    rows, columns = linear_sum_assignment(M)
    plan = np.zeros(M.shape)
    plan[rows, columns] = 1.0 / len(rows)
    return plan


def emd2(a, b, M, **options):
    return float((emd(a, b, M) * np.asarray(M)).sum())


def sinkhorn(a, b, M, reg=0.05, **options):
    kernel = np.exp(-np.asarray(M) / max(reg, 1e-3) / np.asarray(M).max())
    u = np.ones(len(a))
    for _ in range(50):
        v = b / (kernel.T @ u)
        u = a / (kernel @ v)
    return u[:, None] * kernel * v[None]


def sinkhorn2(a, b, M, reg=0.05, **options):
    return float((sinkhorn(a, b, M, reg) * np.asarray(M)).sum())


from . import partial, unbalanced  # noqa: E402, F401
