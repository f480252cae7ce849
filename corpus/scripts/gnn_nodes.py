"""Graph networks with hand-written message passing: node classification and graph batches."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def scatter_mean(src, index, dim_size):
    out = src.new_zeros(dim_size, src.size(1))
    out.index_add_(0, index, src)
    count = torch.bincount(index, minlength=dim_size).clamp(min=1)  # sync: dynamic-shape
    return out / count.unsqueeze(1)


def scatter_softmax(src, index, n):
    peak = torch.full((n,), float("-inf"), device=src.device).scatter_reduce(0, index, src, reduce="amax")
    e = torch.exp(src - peak[index])
    norm = torch.zeros(n, device=src.device).scatter_add_(0, index, e)
    return e / norm[index].clamp(min=1e-9)


class SageLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin_self = nn.Linear(d_in, d_out)
        self.lin_neigh = nn.Linear(d_in, d_out)

    def forward(self, x, edge_index):
        src, dst = edge_index
        agg = scatter_mean(x[src], dst, x.size(0))
        return self.lin_self(x) + self.lin_neigh(agg)


class GatLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out, bias=False)
        self.att = nn.Linear(2 * d_out, 1, bias=False)

    def forward(self, x, edge_index):
        src, dst = edge_index[0], edge_index[1]
        h = self.lin(x)
        score = F.leaky_relu(self.att(torch.cat([h[src], h[dst]], dim=-1)).squeeze(-1), 0.2)
        alpha = scatter_softmax(score, dst, x.size(0))
        out = torch.zeros_like(h)
        return out.index_add(0, dst, alpha.unsqueeze(-1) * h[src])


class NodeNet(nn.Module):
    def __init__(self, d_in, hidden, classes):
        super().__init__()
        self.l1 = SageLayer(d_in, hidden)
        self.l2 = GatLayer(hidden, classes)

    def forward(self, x, edge_index):
        x = F.relu(self.l1(x, edge_index))
        x = F.dropout(x, 0.5, self.training)
        return self.l2(x, edge_index)


class GraphNet(nn.Module):
    """Graph classification: mean pool over the nodes of every graph."""

    def __init__(self, d_in, hidden, classes):
        super().__init__()
        self.conv = GatLayer(d_in, hidden)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x, edge_index, batch):
        h = F.relu(self.conv(x, edge_index))
        num_graphs = int(batch.max()) + 1  # sync: host-read
        pooled = torch.zeros(num_graphs, h.size(1), device=h.device)
        pooled = pooled.scatter_reduce(0, batch[:, None].expand_as(h), h, reduce="mean")
        return self.out(pooled)


def random_graph(n, p_edges, d, seed):
    rng = np.random.default_rng(seed)
    edge_index = torch.from_numpy(rng.integers(0, n, size=(2, p_edges)))
    x = torch.from_numpy(rng.normal(size=(n, d)).astype(np.float32))
    y = torch.from_numpy(rng.integers(0, 4, size=n))
    perm = torch.randperm(n)
    masks = torch.zeros(3, n, dtype=torch.bool)
    masks[0][perm[: n // 2]] = True
    masks[1][perm[n // 2: 3 * n // 4]] = True
    masks[2][perm[3 * n // 4:]] = True
    print("self loops:", int((edge_index[0] == edge_index[1]).sum()))
    return x, edge_index, y, masks


def graph_batches(n_batches, graphs, seed):
    rng = np.random.default_rng(seed)
    for _ in range(n_batches):
        xs, edges, assignment, labels, offset = [], [], [], [], 0
        for g in range(graphs):
            n = int(rng.integers(5, 12))
            xs.append(rng.normal(size=(n, 8)).astype(np.float32))
            edges.append(rng.integers(0, n, size=(2, 3 * n)) + offset)
            assignment += [g] * n
            labels.append(int(n > 8))
            offset += n
        yield np.concatenate(xs), np.concatenate(edges, 1), assignment, labels


@torch.no_grad()
def test(model, x, edge_index, y, masks):
    model.eval()
    pred = model(x, edge_index).argmax(dim=-1)
    accs = []
    for mask in masks:
        correct = pred[mask] == y[mask]  # sync: dynamic-shape x2
        accs.append(int(correct.sum()) / int(mask.sum()))  # sync: host-read x2
    return accs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=200)
    parser.add_argument("--graph-epochs", type=int, default=3)
    parser.add_argument("--nodes", type=int, default=600)
    parser.add_argument("--hidden", type=int, default=32)
    args = parser.parse_args()
    torch.manual_seed(12)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    x, edge_index, y, masks = random_graph(args.nodes, 3000, 16, seed=0)
    x, edge_index, y, masks = x.to(device), edge_index.to(device), y.to(device), masks.to(device)
    train_mask, val_mask, test_mask = masks
    model = NodeNet(16, args.hidden, 4).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    best_val = best_test = 0.0
    for epoch in range(1, args.epochs + 1):
        model.train()
        optimizer.zero_grad()
        out = model(x, edge_index)
        loss = F.cross_entropy(out[train_mask], y[train_mask])  # sync: dynamic-shape x2
        loss.backward()
        optimizer.step()
        train_acc, val_acc, test_acc = test(model, x, edge_index, y, [train_mask, val_mask, test_mask])
        if val_acc > best_val:
            best_val, best_test = val_acc, test_acc
        if epoch % 10 == 0:
            print(f"Epoch {epoch:03d} loss {loss:.4f} train {train_acc:.3f} val {best_val:.3f} test {best_test:.3f}")  # sync: host-read note

    net = GraphNet(8, args.hidden, 2).to(device)
    opt = torch.optim.Adam(net.parameters(), lr=0.005)
    for epoch in range(args.graph_epochs):
        total = 0.0
        for xb, eb, assignment, labels in graph_batches(10, 16, seed=epoch):
            xb = torch.from_numpy(xb).to(device)  # sync: copy-to-device
            eb = torch.from_numpy(eb).to(device)  # sync: copy-to-device
            batch = torch.tensor(assignment, device=device)  # sync: tensor-from-host
            target = torch.tensor(labels).to(device)  # sync: copy-to-device
            loss = F.cross_entropy(net(xb, eb, batch), target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += float(loss)  # sync: host-read
        print(f"graphs epoch {epoch}: {total / 10:.4f}")


if __name__ == "__main__":
    main()
