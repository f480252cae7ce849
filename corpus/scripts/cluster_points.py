"""K-means, ICP alignment and a vector-quantised autoencoder: loops whose end the GPU decides."""
import argparse

import torch
from torch import nn
from torch.nn import functional as F


def kmeans(points, k, max_iter=50, tol=1e-4):
    perm = torch.randperm(len(points), device=points.device)[:k]
    centers = points[perm]
    shift = torch.full((), float("inf"), device=points.device)
    iteration = 0
    while shift > tol and iteration < max_iter:  # sync: tensor-truth
        assign = torch.cdist(points, centers).argmin(1)
        one_hot = F.one_hot(assign, k).to(points.dtype)
        count = one_hot.sum(0).clamp(min=1)
        new_centers = (one_hot.t() @ points) / count[:, None]
        shift = (new_centers - centers).norm(dim=1).max()
        centers = new_centers
        iteration += 1
    return centers, assign


def kmeans_fixed(points, k, iters=10):
    """Never waits: a fixed number of rounds, empty clusters kept where they were."""
    centers = points[torch.randperm(len(points), device=points.device)[:k]]
    for _ in range(iters):
        assign = torch.cdist(points, centers).argmin(1)
        total = torch.zeros_like(centers).index_add_(0, assign, points)
        count = torch.zeros(k, device=points.device).scatter_add_(0, assign, torch.ones_like(points[:, 0]))
        centers = torch.where(count[:, None] > 0, total / count[:, None].clamp(min=1), centers)
    return centers, assign


def rigid_fit(a, b):
    ca, cb = a.mean(0), b.mean(0)
    h = (a - ca).t() @ (b - cb)
    u, _, vt = torch.linalg.svd(h)  # sync: linalg-check
    r = vt.t() @ u.t()
    if torch.linalg.det(r) < 0:  # sync: tensor-truth
        vt = torch.cat([vt[:-1], -vt[-1:]])
        r = vt.t() @ u.t()
    return r, cb - r @ ca


def icp(source, target, rounds, reject=0.9):
    moved, previous = source.clone(), None
    for step in range(rounds):
        d, nearest = torch.cdist(moved, target).min(1)
        inlier = d < torch.quantile(d, reject)
        r, t = rigid_fit(moved[inlier], target[nearest[inlier]])  # sync: dynamic-shape x2
        moved = moved @ r.t() + t
        error = d.mean()
        if previous is not None and torch.allclose(error, previous, atol=1e-7):  # sync: tensor-truth
            break
        previous = error
    return moved, error


class VQ(nn.Module):
    def __init__(self, n_codes, dim):
        super().__init__()
        self.codebook = nn.Embedding(n_codes, dim)
        self.register_buffer("usage", torch.zeros(n_codes))
        self.register_buffer("initialised", torch.tensor(False))

    @torch.no_grad()
    def init_codes(self, flat):
        self.codebook.weight.copy_(flat[: self.codebook.num_embeddings])
        self.initialised.fill_(True)

    @torch.no_grad()
    def revive_dead_codes(self, flat):
        dead = (self.usage < 0.01).nonzero().squeeze(1)  # sync: dynamic-shape note
        if len(dead) > 0:
            self.codebook.weight[dead] = flat[: len(dead)]

    def forward(self, z):
        if self.training and not self.initialised:  # sync: tensor-truth
            self.init_codes(z.detach())
        idx = torch.cdist(z, self.codebook.weight).argmin(1)
        q = self.codebook(idx)
        with torch.no_grad():
            hits = torch.bincount(idx, minlength=self.codebook.num_embeddings)  # sync: dynamic-shape
            self.usage.mul_(0.9).add_(hits, alpha=0.1)
        commit = F.mse_loss(z, q.detach()) + 0.25 * F.mse_loss(q, z.detach())
        return z + (q - z).detach(), idx, commit


def perplexity(idx, n):
    p = F.one_hot(idx).float().mean(0)  # sync: dynamic-shape note
    return torch.exp(-(p * torch.log(p + 1e-9)).sum())


def train_vqvae(args, points):
    enc = nn.Sequential(nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 8)).to(points.device)
    dec = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 3)).to(points.device)
    vq = VQ(32, 8).to(points.device)
    params = [*enc.parameters(), *dec.parameters(), *vq.parameters()]
    opt = torch.optim.Adam(params, lr=1e-3)
    used, worst = set(), []
    for step in range(args.steps):
        batch = points[torch.randint(len(points), (256,), device=points.device)]
        noise = batch.new_tensor([0.01, 0.01, 0.02])  # sync: tensor-from-host
        q, idx, commit = vq(enc(batch + noise * torch.randn_like(batch)))
        per_point = (dec(q) - batch).square().sum(1)
        loss = per_point.mean() + commit
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        used.update(torch.unique(idx).tolist())  # sync: dynamic-shape, host-read
        worst.append(per_point.detach().max())
        if (step + 1) % args.revive_every == 0:
            vq.revive_dead_codes(enc(batch).detach())
            print("step %d: %d codes used, perplexity %.1f" % (step + 1, len(used), perplexity(idx, 32)))  # sync: host-read note
    print("largest error", max(worst).item())
    return vq


def sort_by_cluster(points, assign, k):
    order = torch.argsort(assign)
    counts = torch.zeros(k, dtype=torch.long, device=points.device).scatter_add_(0, assign, torch.ones_like(assign))
    owner = torch.repeat_interleave(torch.arange(k, device=points.device), counts, output_size=len(points))
    return points[order], owner


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=4000)
    parser.add_argument("--clusters", type=int, default=12)
    parser.add_argument("--restarts", type=int, default=4)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--revive-every", type=int, default=50)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    means = torch.randn(args.clusters, 3, device=device) * 3
    points = means[torch.randint(args.clusters, (args.points,), device=device)]
    points = points + 0.2 * torch.randn_like(points)

    spreads = []
    for restart in range(args.restarts):
        centers, assign = kmeans(points, args.clusters)
        fixed, _ = kmeans_fixed(points, args.clusters)
        spreads.append(torch.cdist(points, centers).min(1).values.mean())
    print("spread of every restart", torch.stack(spreads).tolist(), "moved", (fixed - centers).norm().item())
    ordered, owner = sort_by_cluster(points, assign, args.clusters)

    angle = torch.tensor(0.3)
    rot = torch.eye(3)
    rot[0, 0], rot[0, 1], rot[1, 0], rot[1, 1] = angle.cos(), -angle.sin(), angle.sin(), angle.cos()
    target = points[:800] @ rot.to(device).t() + 0.1
    moved, error = icp(points[:800], target, rounds=15)
    print("icp error", error.item(), "owner", owner[:4].tolist())
    train_vqvae(args, ordered)


if __name__ == "__main__":
    main()
