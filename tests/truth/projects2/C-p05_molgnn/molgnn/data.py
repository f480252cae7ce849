import random
from dataclasses import dataclass, field, fields
from typing import Optional

import torch
from torch import Tensor


@dataclass
class Graph:
    x: Tensor                  # [n] atom types
    edge_index: Tensor         # [2, e]
    edge_attr: Tensor          # [e] bond types
    y: Optional[Tensor] = None
    batch: Optional[Tensor] = None
    ptr: Optional[Tensor] = None
    num_graphs: int = 1

    @property
    def num_nodes(self):
        return self.x.size(0)

    def to(self, device, non_blocking=False):
        kw = {}
        for f in fields(self):
            v = getattr(self, f.name)
            kw[f.name] = v.to(device, non_blocking=non_blocking) if isinstance(v, Tensor) else v
        return Graph(**kw)

    def pin_memory(self):
        for f in fields(self):
            v = getattr(self, f.name)
            if isinstance(v, Tensor):
                setattr(self, f.name, v.pin_memory())
        return self


def collate(graphs):
    xs, eis, eas, ys, bs = [], [], [], [], []
    ptr = [0]
    for i, g in enumerate(graphs):
        xs.append(g.x)
        eis.append(g.edge_index + ptr[-1])
        eas.append(g.edge_attr)
        ys.append(g.y)
        bs.append(torch.full((g.num_nodes,), i, dtype=torch.long))
        ptr.append(ptr[-1] + g.num_nodes)
    return Graph(torch.cat(xs), torch.cat(eis, 1), torch.cat(eas), torch.stack(ys), torch.cat(bs),
                 torch.tensor(ptr), len(graphs))


N_ATOMS, N_BONDS = 9, 4


def random_molecule(rng: random.Random) -> Graph:
    """tree with a few ring closures, valence limited to 4"""
    n = rng.randint(8, 24)
    g = torch.Generator().manual_seed(rng.randint(0, 2 ** 31))
    atoms = torch.multinomial(torch.tensor([.6, .12, .12, .05, .03, .03, .02, .02, .01]), n, True, generator=g)
    deg = [0] * n
    edges, bonds = [], []

    def add(a, b):
        deg[a] += 1
        deg[b] += 1
        edges.append((a, b))
        bonds.append(rng.choices(range(N_BONDS), weights=[6, 2, 1, 3])[0])

    for v in range(1, n):
        cand = [u for u in range(v) if deg[u] < 4]
        add(rng.choice(cand[-4:]), v)
    rings = 0
    for _ in range(rng.randint(0, 3)):
        a, b = rng.sample(range(n), 2)
        if deg[a] < 4 and deg[b] < 4 and (a, b) not in edges and (b, a) not in edges:
            add(a, b)
            rings += 1
    ei = torch.tensor(edges, dtype=torch.long).t()
    ea = torch.tensor(bonds, dtype=torch.long)
    hetero = (atoms > 0).float().mean()
    y = torch.tensor([
        rings + 2.0 * hetero + 0.05 * n + rng.gauss(0, 0.05),           # "logP"
        (ea == 1).float().sum() * 0.3 - (ea == 3).float().sum() * 0.1 + rng.gauss(0, 0.05),
    ])
    return Graph(atoms, torch.cat([ei, ei.flip(0)], 1), torch.cat([ea, ea]), y)


class MoleculeDataset(torch.utils.data.Dataset):
    def __init__(self, n, seed=0):
        rng = random.Random(seed)
        self.graphs = [random_molecule(rng) for _ in range(n)]

    def __len__(self):
        return len(self.graphs)

    def __getitem__(self, i):
        return self.graphs[i]


class BucketSampler(torch.utils.data.Sampler):
    """batches limited by the number of nodes rather than graphs"""

    def __init__(self, dataset, max_nodes, shuffle=True, seed=0):
        self.sizes = [g.num_nodes for g in dataset.graphs]
        self.max_nodes = max_nodes
        self.shuffle = shuffle
        self.rng = random.Random(seed)

    def __iter__(self):
        order = list(range(len(self.sizes)))
        if self.shuffle:
            self.rng.shuffle(order)
        batch, total = [], 0
        for i in order:
            if total + self.sizes[i] > self.max_nodes and batch:
                yield batch
                batch, total = [], 0
            batch.append(i)
            total += self.sizes[i]
        if batch:
            yield batch


def sbm_graph(n=1200, blocks=8, p_in=0.04, p_out=0.002, feat=32, seed=0):
    g = torch.Generator().manual_seed(seed)
    label = torch.randint(0, blocks, (n,), generator=g)
    prob = torch.where(label[:, None] == label[None], p_in, p_out)
    adj = torch.rand(n, n, generator=g) < prob
    adj = torch.triu(adj, 1)
    edges = adj.nonzero().t().contiguous()
    centers = torch.randn(blocks, feat, generator=g)
    x = centers[label] + 1.5 * torch.randn(n, feat, generator=g)
    return x, edges


def split_edges(edges, val=0.1, test=0.1, seed=0):
    g = torch.Generator().manual_seed(seed)
    perm = torch.randperm(edges.size(1), generator=g)
    n_val, n_test = int(val * len(perm)), int(test * len(perm))
    return {
        "valid": edges[:, perm[:n_val]],
        "test": edges[:, perm[n_val:n_val + n_test]],
        "train": edges[:, perm[n_val + n_test:]],
    }
