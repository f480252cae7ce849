from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import Dataset, Sampler

from core import DATASETS

MOTIFS = {
    "house": (5, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4)]),
    "cycle6": (6, [(i, (i + 1) % 6) for i in range(6)]),
    "clique5": (5, [(i, j) for i in range(5) for j in range(i)]),
    "grid": (9, [(3 * r + c, 3 * r + c + 1) for r in range(3) for c in range(2)]
             + [(3 * r + c, 3 * r + c + 3) for r in range(2) for c in range(3)]),
}


@dataclass
class Graph:
    x: torch.Tensor           # N, F
    edge_index: torch.Tensor  # 2, E (both directions)
    y: int
    is_motif: torch.Tensor    # N

    @property
    def num_nodes(self):
        return self.x.size(0)


@dataclass
class Batch:
    x: torch.Tensor
    edge_index: torch.Tensor
    batch: torch.Tensor       # graph id of each node, sorted
    y: torch.Tensor
    is_motif: torch.Tensor
    num_graphs: int

    @classmethod
    def collate(cls, graphs):
        sizes = torch.tensor([g.num_nodes for g in graphs])
        offset = sizes.cumsum(0) - sizes
        return cls(
            x=torch.cat([g.x for g in graphs]),
            edge_index=torch.cat([g.edge_index + o for g, o in zip(graphs, offset)], dim=1),
            batch=torch.repeat_interleave(torch.arange(len(graphs)), sizes),
            y=torch.tensor([g.y for g in graphs]),
            is_motif=torch.cat([g.is_motif for g in graphs]),
            num_graphs=len(graphs),
        )

    def to(self, device):
        moved = {k: v.to(device) if torch.is_tensor(v) else v for k, v in vars(self).items()}
        return Batch(**moved)


@DATASETS.register
class BAMotifs(Dataset):
    """Barabasi-Albert graph with one motif attached; the class is the motif."""

    def __init__(self, n, min_nodes=15, max_nodes=45, n_feat=8, seed=0):
        self.rng = np.random.default_rng(seed)
        self.names = list(MOTIFS)
        self.graphs = [self._make(int(self.rng.integers(len(MOTIFS))), min_nodes, max_nodes, n_feat) for _ in range(n)]

    def _make(self, y, lo, hi, n_feat):
        rng = self.rng
        n = int(rng.integers(lo, hi + 1))
        edges, ends = [(0, 1)], [0, 1]
        for v in range(2, n):
            for u in {ends[rng.integers(len(ends))] for _ in range(1 + (rng.random() < 0.3))}:
                edges.append((u, v))
                ends += [u, v]
        size, motif = MOTIFS[self.names[y]]
        edges += [(a + n, b + n) for a, b in motif]
        edges += [(int(rng.integers(n)), n + int(rng.integers(size))) for _ in range(2)]
        total = n + size
        perm = rng.permutation(total)
        e = np.unique(np.sort(perm[np.array(edges)], axis=1), axis=0)
        ei = torch.from_numpy(np.concatenate([e, e[:, ::-1]]).T.copy()).long()
        deg = torch.bincount(ei[0], minlength=total).float()
        x = torch.from_numpy(rng.normal(0, 1, (total, n_feat))).float() * 0.5
        x[:, 0] = deg.log1p()
        x[:, 1] = self._clustering(e, total)
        flag = torch.zeros(total, dtype=torch.bool)
        flag[torch.from_numpy(perm[n:])] = True
        return Graph(x, ei, y, flag)

    @staticmethod
    def _clustering(e, n):
        a = np.zeros((n, n))
        a[e[:, 0], e[:, 1]] = a[e[:, 1], e[:, 0]] = 1
        d = a.sum(1)
        return torch.from_numpy(np.einsum("ij,jk,ki->i", a, a, a, optimize=True) / np.maximum(d * (d - 1), 1)).float()

    def __len__(self):
        return len(self.graphs)

    def __getitem__(self, i):
        return self.graphs[i]


class NodeBudgetSampler(Sampler):
    """batches with at most `budget` nodes, graphs of similar size together"""

    def __init__(self, dataset, budget, shuffle=True, seed=0):
        self.sizes = np.array([g.num_nodes for g in dataset.graphs])
        self.budget, self.shuffle = budget, shuffle
        self.rng = np.random.default_rng(seed)
        self.batches = self._plan()

    def _plan(self):
        noise = self.rng.uniform(0, 6, len(self.sizes)) if self.shuffle else 0
        out, cur, used = [], [], 0
        for i in np.argsort(self.sizes + noise, kind="stable"):
            if cur and used + self.sizes[i] > self.budget:
                out.append(cur)
                cur, used = [], 0
            cur.append(int(i))
            used += self.sizes[i]
        return out + [cur]

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        order = self.rng.permutation(len(self.batches)) if self.shuffle else range(len(self.batches))
        yield from (self.batches[i] for i in order)
