import torch
import torch.nn as nn
import torch.nn.functional as F

from core import MODELS


def degree(index, n):
    return torch.zeros(n, device=index.device).index_add_(0, index, torch.ones_like(index, dtype=torch.float))


def segment_mean(x, batch, n):
    out = x.new_zeros(n, x.size(1)).index_add_(0, batch, x)
    return out / degree(batch, n).clamp(min=1).unsqueeze(1)


def segment_max(x, batch, n):
    idx = batch.unsqueeze(1).expand_as(x)
    return x.new_full((n, x.size(1)), float("-inf")).scatter_reduce(0, idx, x, "amax", include_self=True)


class GINConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(()))
        self.mlp = nn.Sequential(
            nn.Linear(d_in, d_out), nn.BatchNorm1d(d_out), nn.ReLU(), nn.Linear(d_out, d_out), nn.ReLU()
        )

    def forward(self, x, edge_index):
        src, dst = edge_index
        agg = torch.zeros_like(x).index_add_(0, dst, x[src])
        return self.mlp((1 + self.eps) * x + agg)


class TopKPool(nn.Module):
    """Gao & Ji (2019): keep ceil(ratio * n_g) nodes of each graph g, gate them by the score."""

    def __init__(self, dim, ratio):
        super().__init__()
        self.score = NeighbourScore(dim)
        self.ratio = ratio

    def forward(self, x, edge_index, batch, num_graphs):
        score = self.score(x, edge_index)
        # order by (graph, -score): sort by score, then stably by graph
        by_score = score.detach().argsort(descending=True)
        order = by_score[batch[by_score].argsort(stable=True)]
        count = torch.bincount(batch, minlength=num_graphs)
        start = count.cumsum(0) - count
        rank = torch.arange(len(order), device=x.device) - start[batch[order]]
        k = (count * self.ratio).ceil().long()
        perm = order[rank < k[batch[order]]]

        new_id = torch.full((x.size(0),), -1, dtype=torch.long, device=x.device)
        new_id[perm] = torch.arange(len(perm), device=x.device)
        edge_index = new_id[edge_index]
        edge_index = edge_index[:, (edge_index >= 0).all(dim=0)]
        return x[perm] * score[perm].unsqueeze(1), edge_index, batch[perm], perm, score


class NeighbourScore(nn.Module):
    """score from the node and its neighbourhood (SAGPool)"""

    def __init__(self, dim):
        super().__init__()
        self.root, self.neigh = nn.Linear(dim, 1), nn.Linear(dim, 1, bias=False)

    def forward(self, x, edge_index):
        src, dst = edge_index
        n = self.neigh(x)
        return torch.tanh(self.root(x).index_add(0, dst, n[src])).squeeze(1)


@MODELS.register
class TopKNet(nn.Module):
    def __init__(self, n_feat, n_classes, hidden=64, ratios=(0.6, 0.6), dropout=0.2, score_reg=0.01):
        super().__init__()
        self.n_classes, self.score_reg = n_classes, score_reg
        dims = [n_feat] + [hidden] * (len(ratios) + 1)
        self.convs = nn.ModuleList(GINConv(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.pools = nn.ModuleList(TopKPool(hidden, r) for r in ratios)
        self.head = nn.Sequential(
            nn.Linear(2 * hidden, hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(hidden, n_classes)
        )

    def forward(self, b):
        x, ei, batch, n = b.x, b.edge_index, b.batch, b.num_graphs
        readout, info = 0, {"scores": []}
        for i, conv in enumerate(self.convs):
            x = conv(x, ei)
            readout = readout + torch.cat([segment_mean(x, batch, n), segment_max(x, batch, n)], dim=1)
            if i < len(self.pools):
                x, ei, batch, perm, score = self.pools[i](x, ei, batch, n)
                info.setdefault("perm", perm)
                info["scores"].append(score)
        return self.head(readout), info

    def losses(self, b):
        logits, info = self(b)
        ce = F.cross_entropy(logits, b.y, label_smoothing=0.05)
        reg = sum(s.pow(2).mean() for s in info["scores"])
        acc = (logits.argmax(1) == b.y).float().mean()
        return {"loss": ce + self.score_reg * reg, "ce": ce, "train_acc": acc}
