"""Task balancing methods. All share the interface `backward(losses: dict, shared, model) -> dict of weights`."""
import random

import numpy as np
import torch
import torch.nn as nn
from scipy.optimize import minimize


class Equal(nn.Module):
    def __init__(self, tasks, **kw):
        super().__init__()
        self.tasks = tasks

    def backward(self, losses, model):
        total = sum(losses[t] for t in self.tasks)
        total.backward()
        return {t: 1.0 for t in self.tasks}


class Uncertainty(Equal):
    """Kendall et al. 2018"""

    def __init__(self, tasks, **kw):
        super().__init__(tasks)
        self.log_vars = nn.Parameter(torch.zeros(len(tasks)))

    def backward(self, losses, model):
        total = 0
        for i, t in enumerate(self.tasks):
            total = total + torch.exp(-self.log_vars[i]) * losses[t] + 0.5 * self.log_vars[i]
        total.backward()
        return {t: w for t, w in zip(self.tasks, torch.exp(-self.log_vars).tolist())}


class GradNorm(Equal):
    """Chen et al. 2018, on the last shared layer"""

    def __init__(self, tasks, alpha=1.5, lr=0.025, device="cpu", **kw):
        super().__init__(tasks)
        self.alpha = alpha
        self.weights = nn.Parameter(torch.ones(len(tasks), device=device))
        self.opt = torch.optim.Adam([self.weights], lr=lr)
        self.initial = None

    def backward(self, losses, model):
        loss_vec = torch.stack([losses[t] for t in self.tasks])
        if self.initial is None:
            self.initial = loss_vec.detach().clone()
        weighted = self.weights * loss_vec
        weighted.sum().backward(retain_graph=True)
        self.weights.grad = None

        W = model.last_shared_layer().weight
        norms = []
        for i in range(len(self.tasks)):
            g = torch.autograd.grad(loss_vec[i], W, retain_graph=True)[0]
            norms.append(torch.norm(self.weights[i] * g.detach()))
        norms = torch.stack(norms)
        with torch.no_grad():
            ratio = loss_vec / self.initial
            inv_rate = ratio / ratio.mean()
            target = norms.mean() * inv_rate ** self.alpha
        gn_loss = (norms - target).abs().sum()
        self.opt.zero_grad()
        gn_loss.backward()
        self.opt.step()
        with torch.no_grad():
            self.weights.clamp_(min=0.01)
            self.weights.mul_(len(self.tasks) / self.weights.sum())
        return dict(zip(self.tasks, self.weights.detach().cpu().numpy().tolist()))


def _flat_grads(loss, params, retain):
    gs = torch.autograd.grad(loss, params, retain_graph=retain, allow_unused=True)
    return torch.cat([(g if g is not None else torch.zeros_like(p)).reshape(-1) for g, p in zip(gs, params)])


def _assign(params, flat):
    i = 0
    for p in params:
        p.grad = flat[i:i + p.numel()].view_as(p).clone()
        i += p.numel()


class PCGrad(Equal):
    def project(self, grads):
        out = []
        for i, g in enumerate(grads):
            g = g.clone()
            order = [j for j in range(len(grads)) if j != i]
            random.shuffle(order)
            for j in order:
                dot = torch.dot(g, grads[j])
                if dot < 0:
                    g -= dot / (grads[j].norm() ** 2 + 1e-12) * grads[j]
                    self.conflicts += 1
            out.append(g)
        return torch.stack(out).sum(0)

    def backward(self, losses, model):
        self.conflicts = 0
        shared = list(model.shared_parameters())
        grads = [_flat_grads(losses[t], shared, True) for t in self.tasks]
        sum(losses.values()).backward()        # the heads
        _assign(shared, self.project(grads))
        return {t: self.conflicts / len(self.tasks) for t in self.tasks}


class CAGrad(Equal):
    def __init__(self, tasks, c=0.4, **kw):
        super().__init__(tasks)
        self.c = c

    def backward(self, losses, model):
        shared = list(model.shared_parameters())
        G = torch.stack([_flat_grads(losses[t], shared, True) for t in self.tasks])
        sum(losses.values()).backward()
        GG = (G @ G.t()).cpu().numpy().astype(np.float64)
        n = len(self.tasks)
        x0 = np.ones(n) / n
        c = self.c * np.sqrt(GG.mean() + 1e-8)
        res = minimize(lambda x: x @ GG @ x0 + c * np.sqrt(x @ GG @ x + 1e-8), x0, bounds=[(0, 1)] * n,
                       constraints={"type": "eq", "fun": lambda x: 1 - x.sum()})
        w = torch.from_numpy(res.x).to(G)
        gw = w @ G
        lam = c / (gw.norm() + 1e-8)
        _assign(shared, (G.mean(0) + lam * gw) / (1 + self.c ** 2) * n)
        return dict(zip(self.tasks, res.x.round(3).tolist()))


METHODS = {"equal": Equal, "uncertainty": Uncertainty, "gradnorm": GradNorm, "pcgrad": PCGrad, "cagrad": CAGrad}
