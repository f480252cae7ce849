import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class TruncExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x.clamp(max=15))

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0]
        return g * torch.exp(x.clamp(-15, 15))


trunc_exp = TruncExp.apply

PRIMES = [1, 2654435761, 805459861]


class HashEmbedder(nn.Module):
    def __init__(self, n_levels, n_feat, log2_hashmap, base_res, finest_res):
        super().__init__()
        self.n_levels = n_levels
        self.n_feat = n_feat
        self.size = 2 ** log2_hashmap
        b = np.exp((np.log(finest_res) - np.log(base_res)) / (n_levels - 1))
        self.resolutions = [int(np.floor(base_res * b ** i)) for i in range(n_levels)]
        self.tables = nn.ModuleList([nn.Embedding(self.size, n_feat) for _ in range(n_levels)])
        for t in self.tables:
            nn.init.uniform_(t.weight, -1e-4, 1e-4)
        self.register_buffer('offsets', torch.tensor(
            [[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]), persistent=False)
        self.out_dim = n_levels * n_feat

    def hash(self, coords):
        h = coords[..., 0] * PRIMES[0]
        h = h ^ (coords[..., 1] * PRIMES[1])
        h = h ^ (coords[..., 2] * PRIMES[2])
        return h & (self.size - 1)

    def forward(self, x):
        # x in [0, 1]
        outs = []
        for lvl, res in enumerate(self.resolutions):
            xs = x * res
            x0 = torch.floor(xs)
            w = xs - x0
            corners = x0.long()[:, None, :] + self.offsets[None]
            feats = self.tables[lvl](self.hash(corners))            # N, 8, F
            wgt = torch.where(self.offsets[None] == 1, w[:, None], 1 - w[:, None]).prod(-1)
            outs.append((feats * wgt[..., None]).sum(1))
        return torch.cat(outs, -1)


class SHEncoder(nn.Module):
    out_dim = 9

    def forward(self, d):
        x, y, z = d.unbind(-1)
        return torch.stack([
            torch.full_like(x, 0.28209479),
            -0.48860251 * y, 0.48860251 * z, -0.48860251 * x,
            1.09254843 * x * y, -1.09254843 * y * z,
            0.31539157 * (3 * z * z - 1),
            -1.09254843 * x * z, 0.54627421 * (x * x - y * y)], -1)


class HashField(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.bound = cfg.bound
        self.enc = HashEmbedder(cfg.n_levels, 2, cfg.log2_hashmap, cfg.base_res, cfg.finest_res)
        self.dir_enc = SHEncoder()
        self.sigma_net = nn.Sequential(
            nn.Linear(self.enc.out_dim, cfg.hidden), nn.ReLU(True), nn.Linear(cfg.hidden, 1 + cfg.geo_feat))
        self.color_net = nn.Sequential(
            nn.Linear(self.dir_enc.out_dim + cfg.geo_feat, cfg.hidden), nn.ReLU(True),
            nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(True), nn.Linear(cfg.hidden, 3))

    def density(self, x, return_feat=False):
        h = self.enc(((x + self.bound) / (2 * self.bound)).clamp(0, 1))
        h = self.sigma_net(h)
        sigma = trunc_exp(h[..., 0])
        if return_feat:
            return sigma, h[..., 1:]
        return sigma

    def forward(self, x, d):
        sigma, feat = self.density(x, return_feat=True)
        rgb = torch.sigmoid(self.color_net(torch.cat([self.dir_enc(d), feat], -1)))
        return sigma, rgb

    def get_params(self, lr):
        return [
            {'params': self.enc.parameters(), 'lr': lr, 'weight_decay': 0.0},
            {'params': self.sigma_net.parameters(), 'lr': lr},
            {'params': self.color_net.parameters(), 'lr': lr},
        ]
