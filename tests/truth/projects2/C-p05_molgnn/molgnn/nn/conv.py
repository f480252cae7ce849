import torch
import torch.nn as nn
import torch.nn.functional as F

from ..registry import CONVS
from .scatter import scatter, segment_softmax


@CONVS.register("gine")
class GINEConv(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(1))
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.BatchNorm1d(2 * dim), nn.ReLU(), nn.Linear(2 * dim, dim))

    def forward(self, x, edge_index, e):
        src, dst = edge_index
        msg = F.relu(x[src] + e)
        return self.mlp((1 + self.eps) * x + scatter(msg, dst, x.size(0)))


@CONVS.register("gat")
class GATConv(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.h = heads
        self.lin = nn.Linear(dim, dim)
        self.lin_e = nn.Linear(dim, dim)
        self.att = nn.Parameter(torch.empty(1, heads, dim // heads))
        nn.init.xavier_uniform_(self.att)

    def forward(self, x, edge_index, e):
        src, dst = edge_index
        n = x.size(0)
        h = self.lin(x).view(n, self.h, -1)
        z = h[src] + h[dst] + self.lin_e(e).view(e.size(0), self.h, -1)
        a = (F.leaky_relu(z, 0.2) * self.att).sum(-1)
        a = segment_softmax(a, dst, n)
        return scatter(h[src] * a[..., None], dst, n).flatten(1)


@CONVS.register("sage")
class SAGEConv(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.l = nn.Linear(dim, dim)
        self.r = nn.Linear(dim, dim, bias=False)

    def forward(self, x, edge_index, e=None):
        src, dst = edge_index
        m = x[src] if e is None else x[src] + e
        return self.l(scatter(m, dst, x.size(0), "mean")) + self.r(x)
