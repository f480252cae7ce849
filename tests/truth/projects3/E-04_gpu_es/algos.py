import math
import torch


def centered_rank(f):
    """fitness -> ranks in [-0.5, 0.5]"""
    r = torch.empty_like(f)
    r[f.argsort()] = torch.arange(len(f), device=f.device, dtype=f.dtype)
    return r / (len(f) - 1) - 0.5


class OpenES:
    """antithetic ES, gradient goes through a torch optimizer"""

    def __init__(self, theta0, popsize, sigma=0.1, lr=0.03, lr_decay=0.995, sigma_decay=0.995, sigma_min=0.02, wd=0.002, seed=0):
        assert popsize % 2 == 0
        self.mu = torch.nn.Parameter(theta0.clone())
        self.popsize, self.sigma, self.sigma_decay, self.sigma_min = popsize, sigma, sigma_decay, sigma_min
        self.wd = wd
        self.opt = torch.optim.Adam([self.mu], lr=lr)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, lr_decay)
        self.gen = torch.Generator(device=theta0.device).manual_seed(seed)

    @torch.no_grad()
    def ask(self):
        half = torch.randn(self.popsize // 2, self.mu.numel(), device=self.mu.device, generator=self.gen)
        self.eps = torch.cat([half, -half])
        return self.mu + self.sigma * self.eps

    @torch.no_grad()
    def tell(self, fit):
        w = centered_rank(fit)
        g = (w @ self.eps) / (self.popsize * self.sigma)
        self.mu.grad = -g + self.wd * self.mu
        self.opt.step()
        self.sched.step()
        self.sigma = max(self.sigma * self.sigma_decay, self.sigma_min)
        return {"gnorm": g.norm().item(), "sigma": self.sigma}

    @property
    def best(self):
        return self.mu.detach()


class SNES:
    """separable natural evolution strategy (Schaul et al. 2011)"""

    def __init__(self, theta0, popsize, sigma=0.1, lr=1.0, seed=0, **kw):
        self.mu = theta0.clone()
        self.std = torch.full_like(theta0, sigma)
        self.popsize = popsize
        self.lr = lr
        d = theta0.numel()
        self.lr_std = (3 + math.log(d)) / (5 * math.sqrt(d))
        self.gen = torch.Generator(device=theta0.device).manual_seed(seed)
        k = torch.arange(1, popsize + 1, device=theta0.device, dtype=torch.float32)
        u = (math.log(popsize / 2 + 1) - k.log()).clamp(min=0)
        self.util = u / u.sum() - 1.0 / popsize

    def ask(self):
        self.eps = torch.randn(self.popsize, self.mu.numel(), device=self.mu.device, generator=self.gen)
        return self.mu + self.std * self.eps

    def tell(self, fit):
        eps = self.eps[fit.argsort(descending=True)]
        g_mu = self.util @ eps
        g_std = self.util @ (eps ** 2 - 1)
        self.mu = self.mu + self.lr * self.std * g_mu
        self.std = self.std * torch.exp(0.5 * self.lr_std * g_std)
        return {"gnorm": g_mu.norm().item(), "sigma": self.std.mean().item()}

    @property
    def best(self):
        return self.mu


ALGOS = {"openes": OpenES, "snes": SNES}
