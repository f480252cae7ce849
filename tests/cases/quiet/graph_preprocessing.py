"""Building graphs on the CPU before training: neighbours, splits, node features out of arrays and lists."""
import numpy as np
import scipy.sparse as sp
import torch


def read_edges(path):
    pairs = np.loadtxt(path, dtype=np.int64)
    nodes, inverse = np.unique(pairs, return_inverse=True)
    return torch.from_numpy(inverse.reshape(pairs.shape).T.copy()), len(nodes)


def undirected(edges):
    both = torch.cat([edges, edges.flip(0)], dim=1)
    keep = both[0] != both[1]
    return torch.unique(both[:, keep], dim=1)


def largest_component(edges, n):
    parent = list(range(n))

    def find(a):
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        return a

    for a, b in edges.t().tolist():
        parent[find(a)] = find(b)
    roots = torch.tensor([find(a) for a in range(n)])
    values, counts = roots.unique(return_counts=True)
    biggest = values[counts.argmax()]
    if counts.max() < n // 2:
        print("fragmented:", counts.max().item(), "of", n)
    return (roots == biggest).nonzero().squeeze(1)


def relabel(edges, kept, n):
    mapping = torch.full((n,), -1)
    mapping[kept] = torch.arange(len(kept))
    inside = (mapping[edges] >= 0).all(0)
    return mapping[edges[:, inside]]


def normalised(edges, n):
    weights = np.ones(edges.shape[1], dtype=np.float32)
    adjacency = sp.coo_matrix((weights, (edges[0].numpy(), edges[1].numpy())), shape=(n, n)).tocsr()
    degree = np.asarray(adjacency.sum(1)).ravel()
    scale = sp.diags(1.0 / np.sqrt(np.maximum(degree, 1)))
    return (scale @ adjacency @ scale).tocoo()


def splits(labels, per_class=20, seed=0):
    generator = torch.Generator().manual_seed(seed)
    train = torch.zeros(len(labels), dtype=torch.bool)
    for c in range(int(labels.max()) + 1):
        index = (labels == c).nonzero(as_tuple=True)[0]
        if len(index) < per_class:
            continue
        pick = index[torch.randperm(len(index), generator=generator)[:per_class]]
        train[pick] = True
    rest = (~train).nonzero().view(-1)
    rest = rest[torch.randperm(rest.numel(), generator=generator)]
    valid = torch.zeros_like(train)
    valid[rest[: len(rest) // 5]] = True
    assert not (train & valid).any()
    return train, valid


def main(path="edges.txt"):
    edges, n = read_edges(path)
    edges = undirected(edges)
    kept = largest_component(edges, n)
    edges = relabel(edges, kept, n)
    labels = torch.randint(0, 7, (len(kept),))
    train, valid = splits(labels)
    matrix = normalised(edges, len(kept))
    degrees = torch.bincount(edges[0], minlength=len(kept))
    for quantile in (0.5, 0.9, 0.99):
        print(quantile, torch.quantile(degrees.float(), quantile).item())
    torch.save({"edges": edges, "train": train, "valid": valid, "row": matrix.row.tolist()}, "graph.pt")


main()
