import torch
import torch.nn as nn

from ..registry import POOLS
from .scatter import scatter, segment_softmax


@POOLS.register("edge")
class EdgePool(nn.Module):
    """Diehl 2019. Edges are contracted greedily from best to worst score."""

    def __init__(self, dim, dropout=0.1):
        super().__init__()
        self.lin = nn.Linear(2 * dim, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, edge_index, e, batch, num_graphs):
        src, dst = edge_index
        raw = self.lin(torch.cat([x[src], x[dst]], -1)).squeeze(-1)
        score = segment_softmax(self.dropout(raw), dst, x.size(0)) + 0.5

        order = torch.argsort(score.detach(), descending=True).tolist()
        ei = edge_index.cpu().tolist()
        n = x.size(0)
        cluster = torch.empty(n, dtype=torch.long)
        remaining = set(range(n))
        chosen = []
        c = 0
        for k in order:
            s, t = ei[0][k], ei[1][k]
            if s not in remaining or t not in remaining or s == t:
                continue
            chosen.append(k)
            cluster[s] = c
            cluster[t] = c
            remaining.discard(s)
            remaining.discard(t)
            c += 1
        for v in remaining:
            cluster[v] = c
            c += 1
        cluster = cluster.to(x.device)

        new_x = scatter(x, cluster, c)
        new_score = score[chosen]
        if len(remaining) > 0:
            new_score = torch.cat([new_score, x.new_ones(c - len(chosen))])
        new_x = new_x * new_score.view(-1, 1)

        new_ei = cluster[edge_index]
        keep = new_ei[0] != new_ei[1]
        new_ei, new_e = new_ei[:, keep], e[keep]
        new_batch = x.new_empty(c, dtype=torch.long).scatter_(0, cluster, batch)
        return new_x, new_ei, new_e, new_batch


@POOLS.register("topk")
class TopKPool(nn.Module):
    def __init__(self, dim, ratio=0.6):
        super().__init__()
        self.ratio = ratio
        self.w = nn.Parameter(torch.randn(dim) / dim ** 0.5)

    def forward(self, x, edge_index, e, batch, num_graphs):
        score = (x @ self.w) / self.w.norm()
        perm = []
        for g in range(num_graphs):
            nodes = (batch == g).nonzero().view(-1)
            k = max(1, int(self.ratio * nodes.numel()))
            perm.append(nodes[score[nodes].topk(k).indices])
        perm = torch.cat(perm)
        remap = x.new_full((x.size(0),), -1, dtype=torch.long)
        remap[perm] = torch.arange(perm.numel(), device=x.device)
        ei = remap[edge_index]
        keep = (ei >= 0).all(0)
        return x[perm] * torch.tanh(score[perm])[:, None], ei[:, keep], e[keep], batch[perm]
