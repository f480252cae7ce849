import torch
import torch.nn as nn
import torch.nn.functional as F

from ..data import N_ATOMS, N_BONDS
from ..registry import CONVS, POOLS
from .scatter import scatter


class MolNet(nn.Module):
    def __init__(self, dim=64, depth=4, conv="gine", pool="edge", pool_at=(1,), out_dim=2, virtual_node=True, p=0.1):
        super().__init__()
        self.atom = nn.Embedding(N_ATOMS, dim)
        self.bond = nn.ModuleList([nn.Embedding(N_BONDS, dim) for _ in range(depth)])
        self.convs = nn.ModuleList([CONVS.build(conv, dim) for _ in range(depth)])
        self.norms = nn.ModuleList([nn.BatchNorm1d(dim) for _ in range(depth)])
        self.pools = nn.ModuleDict({str(i): POOLS.build(pool, dim) for i in pool_at}) if pool != "none" else {}
        self.vn = nn.Embedding(1, dim) if virtual_node else None
        self.vn_mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim)) if virtual_node else None
        self.head = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, out_dim))
        self.p = p

    def forward(self, g):
        x, ei, ea, batch = self.atom(g.x), g.edge_index, g.edge_attr, g.batch
        vn = self.vn.weight.expand(g.num_graphs, -1) if self.vn is not None else None
        readout = 0
        for i, (conv, norm, bond) in enumerate(zip(self.convs, self.norms, self.bond)):
            if vn is not None:
                x = x + vn[batch]
            h = F.dropout(F.relu(norm(conv(x, ei, bond(ea)))), self.p, self.training)
            x = x + h
            if vn is not None:
                vn = vn + self.vn_mlp(scatter(x, batch, g.num_graphs, "mean"))
            readout = readout + torch.cat([scatter(x, batch, g.num_graphs, "mean"),
                                           scatter(x, batch, g.num_graphs, "max")], -1)
            if str(i) in self.pools:
                x, ei, ea, batch = self.pools[str(i)](x, ei, ea, batch, g.num_graphs)
        return self.head(readout)


class LinkModel(nn.Module):
    def __init__(self, in_dim, dim=64, depth=2, conv="sage", p=0.3):
        super().__init__()
        self.inp = nn.Linear(in_dim, dim)
        self.convs = nn.ModuleList([CONVS.build(conv, dim) for _ in range(depth)])
        self.p = p
        self.pred = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Dropout(p), nn.Linear(dim, 1))

    def encode(self, x, edge_index):
        x = self.inp(x)
        e = x.new_zeros(edge_index.size(1), x.size(1))
        for conv in self.convs:
            x = x + F.dropout(F.relu(conv(x, edge_index, e)), self.p, self.training)
        return x

    def decode(self, z, pairs):
        return self.pred(z[pairs[0]] * z[pairs[1]]).squeeze(-1)
