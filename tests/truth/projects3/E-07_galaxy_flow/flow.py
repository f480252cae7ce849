"""Conditional flow matching (rectified paths) and ODE samplers."""
import copy

import torch
import torch.nn.functional as F
from scipy.optimize import linear_sum_assignment


class FlowMatching:
    def __init__(self, n_classes, p_uncond=0.1, logit_normal=True, ot_pairing=False, sigma_min=1e-3):
        self.n_classes = n_classes
        self.p_uncond = p_uncond
        self.logit_normal = logit_normal
        self.ot = ot_pairing
        self.sigma_min = sigma_min

    def sample_t(self, n, device):
        if self.logit_normal:
            return torch.sigmoid(torch.randn(n, device=device))
        return torch.rand(n, device=device)

    def pair(self, x0, x1):
        """re-order the noise so that the total transport cost in the minibatch is minimal"""
        cost = torch.cdist(x1.flatten(1), x0.flatten(1)).pow(2)
        _, col = linear_sum_assignment(cost.cpu().numpy())
        return x0[torch.as_tensor(col, device=x0.device)]

    def loss(self, model, x1, y):
        x0 = torch.randn_like(x1)
        if self.ot:
            x0 = self.pair(x0, x1)
        t = self.sample_t(x1.size(0), x1.device)
        tt = t[:, None, None, None]
        xt = (1 - (1 - self.sigma_min) * tt) * x0 + tt * x1
        target = x1 - (1 - self.sigma_min) * x0
        drop = torch.rand_like(t) < self.p_uncond
        y = torch.where(drop, torch.full_like(y, self.n_classes), y)
        per = F.mse_loss(model(xt, t, y).float(), target, reduction="none").mean((1, 2, 3))
        return per.mean(), (t.detach(), per.detach())

    @torch.no_grad()
    def sample(self, model, y, shape, steps=20, guidance=1.5, method="heun"):
        dev = y.device
        x = torch.randn(y.size(0), *shape, device=dev)
        null = torch.full_like(y, self.n_classes)

        def v(x, t):
            t = torch.full((x.size(0),), t, device=dev)
            if guidance == 1.0:
                return model(x, t, y)
            c, u = model(torch.cat([x, x]), torch.cat([t, t]), torch.cat([y, null])).chunk(2)
            return u + guidance * (c - u)

        ts = torch.linspace(0, 1, steps + 1).tolist()
        for a, b in zip(ts[:-1], ts[1:]):
            d = v(x, a)
            if method == "heun" and b < 1.0:
                d2 = v(x + (b - a) * d, b)
                d = 0.5 * (d + d2)
            x = x + (b - a) * d
        return x.clamp(-1, 1)


class EMA:
    def __init__(self, model, decay=0.999, warmup=10):
        self.module = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay
        self.warmup = warmup
        self.n = 0

    @torch.no_grad()
    def update(self, model):
        self.n += 1
        d = min(self.decay, (1 + self.n) / (self.warmup + self.n))
        src = dict(model.named_parameters())
        for k, p in self.module.named_parameters():
            p.lerp_(src[k].to(p.dtype), 1 - d)
        for b, s in zip(self.module.buffers(), model.buffers()):
            b.copy_(s)
