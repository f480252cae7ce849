import math
import torch


class PopMLP:
    """P independent MLPs evaluated with bmm. Parameters are rows of a [P, D] matrix."""

    def __init__(self, sizes):
        self.sizes = sizes
        self.shapes = []
        for i, o in zip(sizes[:-1], sizes[1:]):
            self.shapes += [(i, o), (1, o)]
        self.dim = sum(a * b for a, b in self.shapes)

    def init(self, device, gen=None):
        out = []
        for (i, o) in self.shapes:
            if i == 1:
                out.append(torch.zeros(o, device=device))
            else:
                out.append(torch.randn(i * o, device=device, generator=gen) / math.sqrt(i))
        return torch.cat(out)

    def unpack(self, theta):
        P, k, out = theta.shape[0], 0, []
        for a, b in self.shapes:
            out.append(theta[:, k:k + a * b].reshape(P, a, b))
            k += a * b
        return out

    def forward(self, weights, obs):
        """obs [P, E, obs_dim] -> [P, E, act_dim]"""
        h = obs
        for i in range(0, len(weights), 2):
            h = torch.tanh(torch.baddbmm(weights[i + 1], h, weights[i]))
        return h


class ObsNorm:
    """running mean/var, merged from batches (Chan et al.)"""

    def __init__(self, dim, device, clip=5.0):
        self.mean = torch.zeros(dim, device=device)
        self.var = torch.ones(dim, device=device)
        self.count = 1e-4
        self.clip = clip

    def update(self, m, v, n):
        d = m - self.mean
        tot = self.count + n
        self.mean = self.mean + d * n / tot
        self.var = (self.var * self.count + v * n + d ** 2 * self.count * n / tot) / tot
        self.count = tot

    def __call__(self, x):
        return ((x - self.mean) / (self.var + 1e-6).sqrt()).clamp(-self.clip, self.clip)

    def state(self):
        return {"mean": self.mean, "var": self.var, "count": self.count}
