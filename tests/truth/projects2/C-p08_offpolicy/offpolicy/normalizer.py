import numpy as np
import torch
import torch.nn as nn


class RunningNorm(nn.Module):
    """Welford style running mean/std that lives with the model (goes to checkpoints)"""

    def __init__(self, dim, clip=10.0, eps=1e-6):
        super().__init__()
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("var", torch.ones(dim))
        self.register_buffer("count", torch.tensor(1e-4))
        self.clip, self.eps = clip, eps

    @torch.no_grad()
    def update(self, x):
        bm, bv, bc = x.mean(0), x.var(0, unbiased=False), x.shape[0]
        delta = bm - self.mean
        tot = self.count + bc
        self.mean += delta * bc / tot
        m2 = self.var * self.count + bv * bc + delta ** 2 * self.count * bc / tot
        self.var.copy_(m2 / tot)
        self.count.copy_(tot)

    def forward(self, x):
        return ((x - self.mean) / torch.sqrt(self.var + self.eps)).clamp(-self.clip, self.clip)


class ReturnScaler:
    """divides rewards by the running std of the discounted return"""

    def __init__(self, n, gamma):
        self.g = np.zeros(n)
        self.gamma = gamma
        self.mean, self.var, self.count = 0.0, 1.0, 1e-4

    def __call__(self, rew, done):
        self.g = self.g * self.gamma + rew
        bm, bv, bc = self.g.mean(), self.g.var(), len(self.g)
        d = bm - self.mean
        tot = self.count + bc
        self.mean += d * bc / tot
        self.var = (self.var * self.count + bv * bc + d * d * self.count * bc / tot) / tot
        self.count = tot
        self.g[done] = 0
        return (rew / np.sqrt(self.var + 1e-8)).astype(np.float32)
