import numpy as np
import torch


def lhs(n, samples, rng=np.random):
    """latin hypercube on [0, 1]^n (pyDOE is a pain to install)"""
    cut = np.linspace(0, 1, samples + 1)
    u = rng.rand(samples, n)
    a, b = cut[:samples], cut[1:samples + 1]
    H = np.zeros_like(u)
    for j in range(n):
        order = rng.permutation(range(samples))
        H[:, j] = (u[:, j] * (b - a) + a)[order]
    return H


class RAD:
    """Residual-based adaptive distribution, Wu et al. 2022.  p ~ |r|^k / E|r|^k + c"""

    def __init__(self, k=1.0, c=1.0):
        self.k, self.c = k, c

    def __call__(self, pinn, X_f, n_pool=8192):
        pool = pinn.random_points(n_pool)
        r = np.abs(pinn.predict_residual(pool)).flatten().astype(np.float64)
        p = r ** self.k / (r ** self.k).mean() + self.c
        p = p / p.sum()
        ids = np.random.choice(len(pool), size=len(X_f), replace=False, p=p)
        return pool[ids]


class RAR:
    """Greedy refinement: add the m worst points"""

    def __init__(self, m=50):
        self.m = m

    def __call__(self, pinn, X_f, n_pool=8192):
        pool = pinn.random_points(n_pool)
        r = np.abs(pinn.predict_residual(pool)).flatten().astype(np.float64)
        worst = np.argsort(-r)[:self.m]
        print('   RAR: max residual %.3e, mean %.3e' % (r.max(), r.mean()))
        return np.vstack([X_f, pool[worst]])


SAMPLERS = {'rad': RAD, 'rar': RAR, 'none': None}
