import math

import torch


def rel_l2(pred, true):
    d = (pred - true).flatten(1).norm(dim=1)
    return (d / true.flatten(1).norm(dim=1)).mean()


def burgers_residual(u, nu, T):
    """u [B, nt+1, nx]; spectral in x, central differences in t (interior points only)"""
    nt, nx = u.shape[1] - 1, u.shape[2]
    k = 2j * math.pi * torch.arange(nx // 2 + 1, device=u.device)
    uf = torch.fft.rfft(u, dim=-1)
    ux = torch.fft.irfft(k * uf, n=nx, dim=-1)
    uxx = torch.fft.irfft(k ** 2 * uf, n=nx, dim=-1)
    dt = T / nt
    ut = (u[:, 2:] - u[:, :-2]) / (2 * dt)
    return ut + (u * ux - nu * uxx)[:, 1:-1]


class GradNormWeights:
    """lambda_i = mean_j |g_j| / |g_i|, exponential moving average (Wang, Teng & Perdikaris 2021 flavour)"""

    def __init__(self, names, every=10, beta=0.9, max_w=100.0):
        self.w = {n: 1.0 for n in names}
        self.every, self.beta, self.max_w = every, beta, max_w
        self.calls = 0

    def update(self, losses, params):
        self.calls += 1
        if (self.calls - 1) % self.every:
            return
        norms = {}
        for n, l in losses.items():
            g = torch.autograd.grad(l, params, retain_graph=True, allow_unused=True)
            norms[n] = torch.sqrt(sum(x.pow(2).sum() for x in g if x is not None)).item()
        total = sum(norms.values()) / len(norms)
        for n in self.w:
            new = min(total / (norms[n] + 1e-12), self.max_w)
            self.w[n] = self.beta * self.w[n] + (1 - self.beta) * new

    def __call__(self, losses):
        return sum(self.w[n] * l for n, l in losses.items())


class ReLoBRaLo:
    """relative loss balancing with random lookback (Bischof & Kraus 2021)"""

    def __init__(self, names, alpha=0.95, rho=0.99, tau=0.5):
        self.names = list(names)
        self.alpha, self.rho, self.tau = alpha, rho, tau
        self.w = {n: 1.0 for n in self.names}
        self.first = self.last = None

    def _softmax(self, cur, ref):
        z = torch.tensor([cur[n] / (self.tau * ref[n] + 1e-12) for n in self.names])
        s = torch.softmax(z - z.max(), 0) * len(self.names)
        return dict(zip(self.names, s.tolist()))

    def update(self, losses, params=None):
        cur = {n: l.item() for n, l in losses.items()}
        if self.first is None:
            self.first = cur
        else:
            rho = float(torch.rand(()) < self.rho)
            init, bal = self._softmax(cur, self.first), self._softmax(cur, self.last)
            for n in self.names:
                hist = rho * self.w[n] + (1 - rho) * init[n]
                self.w[n] = self.alpha * hist + (1 - self.alpha) * bal[n]
        self.last = cur

    def __call__(self, losses):
        return sum(self.w[n] * l for n, l in losses.items())
