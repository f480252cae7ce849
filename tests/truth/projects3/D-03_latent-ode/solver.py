"""Adaptive Dormand-Prince 5(4) and the adjoint method, in one small file.

Only what we need: scalar time shared by the batch, tensor state, increasing or
decreasing time grids. States are advanced so that each t[i] is hit exactly.
"""
import torch

C = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
A = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
# b5 - b4
E = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


class StepStats:
    def __init__(self):
        self.reset()

    def reset(self):
        self.nfe = self.accepted = self.rejected = 0

    def __repr__(self):
        return f"nfe={self.nfe} acc={self.accepted} rej={self.rejected}"


def rms(x):
    return x.pow(2).mean().sqrt()


def dopri5_step(f, t, y, k1, h):
    ks = [k1]
    for c, row in zip(C[1:], A[1:]):
        inc = sum(a * k for a, k in zip(row, ks) if a != 0.0)
        ks.append(f(t + c * h, y + h * inc))
    y1 = y + h * inc  # last row of A is b5 (FSAL)
    err = h * sum(e * k for e, k in zip(E, ks) if e != 0.0)
    return y1, ks[-1], err


class AdaptiveSolver:
    safety, min_fac, max_fac, h_min = 0.9, 0.2, 5.0, 1e-5

    def __init__(self, f, rtol=1e-3, atol=1e-4, norm=rms, stats=None):
        self.rtol, self.atol, self.norm = rtol, atol, norm
        self.stats = stats if stats is not None else StepStats()
        self._f = f
        self.h = None

    def f(self, t, y):
        self.stats.nfe += 1
        return self._f(t, y)

    @torch.no_grad()
    def _initial_step(self, y, k, span):
        scale = self.atol + self.rtol * y.abs()
        d0, d1 = self.norm(y / scale).item(), self.norm(k / scale).item()
        h = 0.01 * d0 / d1 if d0 > 1e-5 and d1 > 1e-5 else 1e-3
        return min(10 * h, span)

    def advance(self, t0, t1, y, k=None):
        """integrate from t0 to t1 (floats). Returns y(t1), f(t1, y(t1))"""
        sign = 1.0 if t1 >= t0 else -1.0
        k = self.f(t0, y) if k is None else k
        if self.h is None:
            self.h = self._initial_step(y, k, abs(t1 - t0))
        t = t0
        while sign * (t1 - t) > 1e-9:
            left = abs(t1 - t)
            h = min(self.h, left)
            y1, k1, err = dopri5_step(self.f, t, y, k, sign * h)
            with torch.no_grad():
                tol = self.atol + self.rtol * torch.maximum(y.abs(), y1.abs())
                ratio = self.norm(err / tol).item()
            fac = self.max_fac if ratio < 1e-8 else self.safety * ratio ** (-0.2)
            fac = min(self.max_fac, max(self.min_fac, fac))
            if ratio <= 1.0 or h <= self.h_min:
                t = t1 if h == left else t + sign * h
                y, k = y1, k1
                self.stats.accepted += 1
                # don't let the last, clipped step shrink the controller
                self.h = max(self.h, h * fac) if h == left else h * fac
            else:
                self.stats.rejected += 1
                self.h = max(h * min(fac, 1.0), self.h_min)
        return y, k


def odeint(f, y0, t, rtol=1e-3, atol=1e-4, stats=None):
    """t: list of floats. Returns (len(t), *y0.shape); differentiable through the solver."""
    solver = AdaptiveSolver(f, rtol, atol, stats=stats)
    out, y, k = [y0], y0, None
    for a, b in zip(t[:-1], t[1:]):
        y, k = solver.advance(a, b, y, k)
        out.append(y)
    return torch.stack(out)


class _Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, t, rtol, atol, stats, y0, *params):
        with torch.no_grad():
            ys = odeint(func, y0, t, rtol, atol, stats[0])
        ctx.func, ctx.t, ctx.tol, ctx.stats = func, t, (rtol, atol), stats[1]
        ctx.n_params = len(params)
        ctx.save_for_backward(ys)
        return ys

    @staticmethod
    def backward(ctx, grad_ys):
        (ys,) = ctx.saved_tensors
        func, t = ctx.func, ctx.t
        params = tuple(p for p in func.parameters() if p.requires_grad)
        shape, n = ys[0].shape, ys[0].numel()

        def aug(ti, s):
            # s = [y, a, dL/dtheta] flat
            a = s[n : 2 * n].view(shape)
            with torch.enable_grad():
                y = s[:n].view(shape).detach().requires_grad_(True)
                dy = func(ti, y)
                grads = torch.autograd.grad(dy, (y, *params), -a, allow_unused=True)
            flat = [dy.detach().reshape(-1)]
            for g, p in zip(grads, (y, *params)):
                flat.append(torch.zeros_like(p).reshape(-1) if g is None else g.reshape(-1))
            return torch.cat(flat)

        # semi-norm of Kidger et al. 2021: the parameter part does not control the step
        solver = AdaptiveSolver(aug, *ctx.tol, norm=lambda x: rms(x[: 2 * n]), stats=ctx.stats)
        with torch.no_grad():
            a = grad_ys[-1].reshape(-1)
            g = torch.zeros(sum(p.numel() for p in params), device=ys.device, dtype=ys.dtype)
            for i in range(len(t) - 1, 0, -1):
                s = torch.cat([ys[i].reshape(-1), a, g])
                s, _ = solver.advance(t[i], t[i - 1], s)
                a = s[n : 2 * n] + grad_ys[i - 1].reshape(-1)
                g = s[2 * n :]
        grads = [x.view_as(p) for x, p in zip(g.split([p.numel() for p in params]), params)]
        return (None, None, None, None, None, a.view(shape), *grads)


def odeint_adjoint(func, y0, t, rtol=1e-3, atol=1e-4, stats=None):
    stats = stats or (StepStats(), StepStats())
    params = tuple(p for p in func.parameters() if p.requires_grad)
    return _Adjoint.apply(func, t, rtol, atol, stats, y0, *params)
