import torch
import torch.nn as nn


class NeuMF(nn.Module):
    """Only uses the first two sparse columns (user, item)."""

    def __init__(self, cardinalities, num_dense, dim=16, layers=(32, 16)):
        super().__init__()
        nu, ni = cardinalities[:2]
        self.gmf_u, self.gmf_i = nn.Embedding(nu, dim), nn.Embedding(ni, dim)
        self.mlp_u, self.mlp_i = nn.Embedding(nu, dim), nn.Embedding(ni, dim)
        mods, d = [], 2 * dim
        for h in layers:
            mods += [nn.Linear(d, h), nn.ReLU()]
            d = h
        self.mlp = nn.Sequential(*mods)
        self.out = nn.Linear(dim + d, 1)
        for e in (self.gmf_u, self.gmf_i, self.mlp_u, self.mlp_i):
            nn.init.normal_(e.weight, std=0.01)

    def forward(self, dense, sparse):
        u, i = sparse[:, 0], sparse[:, 1]
        g = self.gmf_u(u) * self.gmf_i(i)
        m = self.mlp(torch.cat([self.mlp_u(u), self.mlp_i(i)], -1))
        return self.out(torch.cat([g, m], -1)).squeeze(-1)
