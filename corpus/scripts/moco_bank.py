"""Contrastive learning with a momentum encoder and a memory bank, then a kNN probe."""
import argparse
import copy
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class TwoViews(Dataset):
    def __init__(self, n, seed=0, train=True):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, 8, n)
        protos = np.random.default_rng(99).normal(size=(8, 3, 16, 16)).astype(np.float32)
        self.images = protos[self.labels] + 0.5 * rng.normal(size=(n, 3, 16, 16)).astype(np.float32)
        self.train = train

    def augment(self, x):
        x = torch.from_numpy(x.copy())
        if torch.rand(()) < 0.5:
            x = x.flip(-1)
        mask = torch.rand(1, 16, 16) < 0.1
        return x.masked_fill(mask, 0.0) + 0.1 * torch.randn_like(x)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x = self.images[i]
        if not self.train:
            return torch.from_numpy(x), int(self.labels[i])
        return self.augment(x), self.augment(x), int(self.labels[i])


def conv_encoder(dim):
    return nn.Sequential(
        nn.Conv2d(3, 32, 3, 2, 1), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Conv2d(32, 64, 3, 2, 1), nn.BatchNorm2d(64), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, dim),
    )


class MoCo(nn.Module):
    def __init__(self, dim=64, K=1024, m=0.99, T=0.1):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = conv_encoder(dim)
        self.encoder_k = copy.deepcopy(self.encoder_q)
        for p in self.encoder_k.parameters():
            p.requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))
        self.register_buffer("queue_labels", torch.full((K,), -1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data = param_k.data * self.m + param_q.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys, labels):
        batch_size = keys.shape[0]
        ptr = int(self.queue_ptr)  # sync: host-read
        assert self.K % batch_size == 0
        self.queue[:, ptr:ptr + batch_size] = keys.T
        self.queue_labels[ptr:ptr + batch_size] = labels
        ptr = (ptr + batch_size) % self.K
        self.queue_ptr[0] = ptr  # sync: index-from-host

    def forward(self, im_q, im_k, labels):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder()
            idx_shuffle = torch.randperm(im_k.shape[0]).cuda()  # sync: copy-to-device
            idx_unshuffle = torch.argsort(idx_shuffle)
            k = F.normalize(self.encoder_k(im_k[idx_shuffle]), dim=1)
            k = k[idx_unshuffle]
        l_pos = torch.einsum("nc,nc->n", [q, k]).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", [q, self.queue.clone().detach()])
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        targets = torch.zeros(logits.shape[0], dtype=torch.long).cuda()  # sync: copy-to-device
        self._dequeue_and_enqueue(k, labels)
        return logits, targets


class MarginLoss(nn.Module):
    """Hardest-negative triplet term on top of the contrastive one."""

    def __init__(self, margin=0.2):
        super().__init__()
        self.margin = margin

    def __call__(self, emb, labels):
        sim = emb @ emb.t()
        same = labels[:, None] == labels[None, :]
        same.fill_diagonal_(False)
        hardest_neg = sim.masked_fill(same, -2.0).max(1).values
        rows, cols = torch.where(same)  # sync: dynamic-shape
        if len(rows) == 0:
            return sim.sum() * 0
        violation = F.relu(hardest_neg[rows] - sim[rows, cols] + self.margin)
        active = violation[violation > 0]  # sync: dynamic-shape
        return active.mean() if active.numel() > 0 else violation.sum()


class ProgressMeter:
    def __init__(self, num_batches):
        self.num_batches, self.values = num_batches, {}

    def update(self, **kwargs):
        for name, value in kwargs.items():
            if torch.is_tensor(value):
                value = value.item()  # sync: host-read
            self.values.setdefault(name, []).append(value)

    def display(self, batch):
        entries = [f"[{batch}/{self.num_batches}]"]
        entries += [f"{k} {np.mean(v):.4f}" for k, v in self.values.items()]
        print("\t".join(entries))


@torch.no_grad()
def knn_accuracy(model, bank_loader, query_loader, device, k=5):
    model.eval()
    feats, ys = [], []
    for x, y in bank_loader:
        feats.append(F.normalize(model.encoder_q(x.to(device)), dim=1).cpu())  # sync: copy-to-device, copy-to-host
        ys.append(y)
    feats, ys = torch.cat(feats), torch.cat(ys)
    hit = total = 0
    for x, y in query_loader:
        f = F.normalize(model.encoder_q(x.to(device)), dim=1).cpu()  # sync: copy-to-device, copy-to-host
        nearest = (f @ feats.t()).topk(k, dim=1).indices
        votes = F.one_hot(ys[nearest], 8).sum(1).argmax(1)
        hit += (votes == y).sum().item()
        total += len(y)
    return hit / total


def main_worker(args):
    torch.manual_seed(0)
    device = torch.device("cuda")
    train_loader = DataLoader(TwoViews(args.n), args.batch_size, shuffle=True, drop_last=True, pin_memory=True)
    bank_loader = DataLoader(TwoViews(256, train=False), 128)
    query_loader = DataLoader(TwoViews(128, seed=5, train=False), 64)
    model = MoCo().cuda()
    criterion = nn.CrossEntropyLoss().cuda()
    margin_loss = MarginLoss()
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), 0.06, momentum=0.9)
    best = 0.0
    for epoch in range(args.epochs):
        model.train()
        progress = ProgressMeter(len(train_loader))
        for i, (im_q, im_k, labels) in enumerate(train_loader):
            im_q = im_q.cuda(non_blocking=True)
            im_k = im_k.cuda(non_blocking=True)
            labels = labels.cuda(non_blocking=True)
            output, target = model(im_q, im_k, labels)
            loss = criterion(output, target)
            loss = loss + 0.1 * margin_loss(F.normalize(model.encoder_q(im_q), dim=1), labels)
            acc = (output.argmax(1) == target).float().mean()
            progress.update(loss=loss, acc=acc, lr=optimizer.param_groups[0]["lr"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if i % args.print_freq == 0:
                progress.display(i)
        known = (model.queue_labels >= 0).sum()
        print(f"queue filled {known}/{model.K}")  # sync: host-read note
        top1 = knn_accuracy(model, bank_loader, query_loader, device)
        if top1 > best:
            best = top1
            torch.save({"epoch": epoch, "state_dict": model.state_dict()}, os.path.join(args.dir, "moco.pt"))  # sync: copy-to-host note
        print(f"epoch {epoch}: knn {top1:.3f} best {best:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=4096)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--print-freq", type=int, default=10)
    parser.add_argument("--dir", default=".")
    main_worker(parser.parse_args())
