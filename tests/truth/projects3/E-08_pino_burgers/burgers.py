"""1D viscous Burgers, periodic on [0, 1):  u_t + u u_x = nu u_xx
Reference solutions: Fourier pseudo-spectral in space, integrating factor RK4 in time (float64, batched).
"""
import math

import torch


def grf(n, nx, device, tau=5.0, alpha=2.5, gen=None):
    """Gaussian random field with spectrum (k^2 + tau^2)^(-alpha/2), zero mean"""
    k = torch.arange(nx // 2 + 1, device=device, dtype=torch.float64)
    amp = (k ** 2 + tau ** 2) ** (-alpha / 2)
    amp[0] = 0.0
    re = torch.randn(n, nx // 2 + 1, device=device, dtype=torch.float64, generator=gen)
    im = torch.randn(n, nx // 2 + 1, device=device, dtype=torch.float64, generator=gen)
    u = torch.fft.irfft(torch.complex(re, im) * amp, n=nx)
    return u / u.std() * 0.5


def solve(u0, nu, T, n_out, steps_per_out=16):
    """u0 [B, nx] float64 -> u [B, n_out + 1, nx] including t=0"""
    nx = u0.shape[-1]
    k = 2 * math.pi * torch.arange(nx // 2 + 1, device=u0.device, dtype=torch.float64)
    dealias = (torch.arange(nx // 2 + 1, device=u0.device) < nx // 3).to(torch.float64)
    dt = T / (n_out * steps_per_out)
    E = torch.exp(-0.5 * dt * nu * k ** 2)
    E2 = E ** 2
    g = -0.5j * dt * k * dealias

    def N(v):
        return g * torch.fft.rfft(torch.fft.irfft(v, n=nx) ** 2)

    v = torch.fft.rfft(u0) * dealias
    out = [torch.fft.irfft(v, n=nx)]
    for _ in range(n_out):
        for _ in range(steps_per_out):
            a = N(v)
            b = N(E * (v + a / 2))
            c = N(E * v + b / 2)
            d = N(E2 * v + E * c)
            v = E2 * v + (E2 * a + 2 * E * (b + c) + d) / 6
        out.append(torch.fft.irfft(v, n=nx))
    return torch.stack(out, dim=1)


class BurgersData:
    """few labelled trajectories, many unlabelled initial conditions"""

    def __init__(self, n_lab, n_unlab, n_test, nx, nt, nu, T, device, seed=0):
        gen = torch.Generator(device=device).manual_seed(seed)
        fine = 2 * nx
        u0 = grf(n_lab + n_unlab + n_test, fine, device, gen=gen)
        idx = torch.arange(len(u0), device=device)
        need = (idx < n_lab) | (idx >= n_lab + n_unlab)
        sol = solve(u0[need], nu, T, nt)[..., ::2].float()
        u0 = u0[:, ::2].float()
        self.nu, self.T, self.nx, self.nt = nu, T, nx, nt
        self.lab_u0, self.lab_u = sol[:n_lab, 0].contiguous(), sol[:n_lab].contiguous()
        self.unl_u0 = u0[n_lab:n_lab + n_unlab].contiguous()
        self.test_u0, self.test_u = sol[n_lab:, 0].contiguous(), sol[n_lab:].contiguous()

    def batches(self, bs_lab, bs_unl):
        pl = torch.randperm(len(self.lab_u0), device=self.lab_u0.device)
        pu = torch.randperm(len(self.unl_u0), device=self.unl_u0.device)
        n = max(len(pu) // bs_unl, 1)
        reps = -(-n * bs_lab // len(pl))
        pl = pl.repeat(reps)
        for i in range(n):
            a, b = pl[i * bs_lab:(i + 1) * bs_lab], pu[i * bs_unl:(i + 1) * bs_unl]
            yield self.lab_u0[a], self.lab_u[a], self.unl_u0[b]
