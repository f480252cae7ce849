"""
PDE definitions. Each one has a domain, a residual, initial and boundary
conditions and (if known) a reference solution.
"""
import numpy as np
import torch


def grad(u, x):
    return torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]


class Burgers:
    name = 'burgers'
    lb = np.array([-1.0, 0.0])
    ub = np.array([1.0, 1.0])
    nu_true = 0.01 / np.pi

    def residual(self, u, x, t, nu):
        u_x = grad(u, x)
        u_t = grad(u, t)
        u_xx = grad(u_x, x)
        return u_t + u * u_x - nu * u_xx

    def initial(self, x):
        return -np.sin(np.pi * x)

    def boundary(self, model, t):
        left = model(torch.full_like(t, -1.0), t)
        right = model(torch.full_like(t, 1.0), t)
        return (left ** 2).mean() + (right ** 2).mean()

    def reference(self, nx=128, nt=26):
        # explicit upwind/central scheme on a fine grid, good enough for a toy
        n = 1024
        x = np.linspace(-1, 1, n)
        dx = x[1] - x[0]
        dt = 0.2 * dx
        u = self.initial(x)
        outs, times = [u.copy()], np.linspace(0, 1, nt)
        t = 0.0
        for target in times[1:]:
            while t < target - 1e-12:
                h = min(dt, target - t)
                f = 0.5 * u ** 2
                a = np.maximum(np.abs(u[1:]), np.abs(u[:-1]))
                flux = 0.5 * (f[1:] + f[:-1]) - 0.5 * a * (u[1:] - u[:-1])
                un = u.copy()
                un[1:-1] = u[1:-1] - h / dx * (flux[1:] - flux[:-1]) \
                    + h * self.nu_true * (u[2:] - 2 * u[1:-1] + u[:-2]) / dx ** 2
                un[0] = un[-1] = 0.0
                u = un
                t += h
            outs.append(u.copy())
        idx = np.linspace(0, n - 1, nx).astype(int)
        U = np.stack(outs)[:, idx]
        X, T = np.meshgrid(x[idx], times)
        return X, T, U


class AllenCahn:
    name = 'allen_cahn'
    lb = np.array([-1.0, 0.0])
    ub = np.array([1.0, 1.0])
    nu_true = 1e-3

    def residual(self, u, x, t, nu):
        u_t = grad(u, t)
        u_xx = grad(grad(u, x), x)
        return u_t - nu * u_xx + 2.0 * u ** 3 - 2.0 * u

    def initial(self, x):
        return x ** 2 * np.cos(np.pi * x)

    def boundary(self, model, t):
        xl = torch.full_like(t, -1.0).requires_grad_(True)
        xr = torch.full_like(t, 1.0).requires_grad_(True)
        ul, ur = model(xl, t), model(xr, t)
        return ((ul - ur) ** 2).mean() + ((grad(ul, xl) - grad(ur, xr)) ** 2).mean()

    def reference(self, nx=128, nt=26):
        n = 256
        x = np.linspace(-1, 1, n, endpoint=False)
        k = np.fft.fftfreq(n, d=2.0 / n) * 2 * np.pi
        u = self.initial(x)
        times = np.linspace(0, 1, nt)
        outs = [u.copy()]
        sub = 40
        h = (times[1] - times[0]) / sub
        E = 1.0 / (1.0 + h * self.nu_true * k ** 2)
        for _ in times[1:]:
            for _ in range(sub):
                u = np.real(np.fft.ifft(np.fft.fft(u + h * (2 * u - 2 * u ** 3)) * E))
            outs.append(u.copy())
        idx = np.linspace(0, n - 1, nx).astype(int)
        X, T = np.meshgrid(x[idx], times)
        return X, T, np.stack(outs)[:, idx]


PDES = {'burgers': Burgers, 'allen_cahn': AllenCahn}
