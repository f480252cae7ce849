"""Two towers with in-batch negatives, a cache of item vectors, recall@k and NDCG over all items."""
import logging
import time
from collections import OrderedDict, defaultdict
from functools import partial

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm

logger = logging.getLogger(__name__)


class Interactions(Dataset):
    def __init__(self, frame, n_items):
        self.users = frame["user"].to_numpy()
        self.items = frame["item"].to_numpy()
        self.seen = frame.groupby("user")["item"].apply(set).to_dict()
        self.n_items = n_items

    def __len__(self):
        return len(self.users)

    def __getitem__(self, i):
        negative = np.random.randint(self.n_items)
        return {"user": self.users[i], "pos": self.items[i], "neg": negative}


class Tower(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.table = nn.Embedding(n, dim, sparse=False)
        self.mlp = nn.Sequential(OrderedDict([("fc1", nn.Linear(dim, dim)), ("act", nn.ReLU()), ("fc2", nn.Linear(dim, dim))]))

    def forward(self, ids):
        return nn.functional.normalize(self.mlp(self.table(ids)), dim=-1)


class TwoTower(nn.Module):
    def __init__(self, n_users, n_items, dim=64):
        super().__init__()
        self.towers = nn.ModuleDict({"user": Tower(n_users, dim), "item": Tower(n_items, dim)})
        self.log_temperature = nn.Parameter(torch.tensor(2.0))

    @property
    def device(self):
        return next(self.parameters()).device

    def scores(self, user, item):
        return self.towers["user"](user) @ self.towers["item"](item).t() * self.log_temperature.exp()

    def forward(self, batch):
        scores = self.scores(batch["user"], torch.cat([batch["pos"], batch["neg"]]))
        duplicates = batch["pos"][:, None] == batch["pos"][None]
        duplicates.fill_diagonal_(False)
        n = len(batch["pos"])
        left = scores[:, :n].masked_fill(duplicates, -1e9)
        target = torch.arange(n, device=scores.device)
        return nn.functional.cross_entropy(torch.cat([left, scores[:, n:]], 1), target)

    @torch.no_grad()
    def all_items(self, chunk=4096):
        n = self.towers["item"].table.num_embeddings
        parts = [self.towers["item"](torch.arange(s, min(s + chunk, n)).to(self.device)) for s in range(0, n, chunk)]  # sync: copy-to-device
        return torch.cat(parts)


def dcg(relevance, k):
    discounts = torch.log2(torch.arange(2, k + 2, device=relevance.device).float())
    return (relevance[:, :k] / discounts).sum(1)


def recall_at(k, hits, n_relevant):
    return hits[:, :k].sum(1) / n_relevant.clamp(max=k)


def ndcg_at(k, hits, n_relevant):
    ideal = torch.zeros_like(hits)
    for row, n in enumerate(n_relevant):
        ideal[row, : int(n)] = 1  # sync: host-read
    return dcg(hits, k) / dcg(ideal, k)


METRICS = {f"{name}@{k}": partial(fn, k) for name, fn in (("recall", recall_at), ("ndcg", ndcg_at)) for k in (10, 50)}


class EvalUsers(Dataset):
    def __init__(self, train, test):
        self.train, self.test = train, test
        self.users = sorted(test.seen)

    def __len__(self):
        return len(self.users)

    def __getitem__(self, i):
        u = self.users[i]
        return u, sorted(self.train.seen.get(u, ())), sorted(self.test.seen[u])


def evaluate(model, users, device, k=50):
    model.eval()
    items = model.all_items()
    totals = defaultdict(float)
    count = 0
    with torch.no_grad():
        for ids, seen, relevant in DataLoader(users, batch_size=256, collate_fn=lambda rows: list(zip(*rows))):
            ids = torch.as_tensor(ids, device=device)  # sync: tensor-from-host
            scores = model.towers["user"](ids) @ items.t()
            for row, s in enumerate(seen):
                scores[row, list(s)] = -float("inf")  # sync: index-from-host
            top = scores.topk(k, dim=1).indices
            hits = torch.zeros_like(top, dtype=torch.float)
            for row, r in enumerate(relevant):
                hits[row] = torch.isin(top[row], torch.tensor(r, device=device)).float()  # sync: tensor-from-host
            n_relevant = torch.tensor([len(r) for r in relevant]).to(device)  # sync: copy-to-device
            for name, metric in METRICS.items():
                totals[name] += metric(hits, n_relevant).sum().item()  # sync: host-read
            count += len(ids)
    return {name: total / count for name, total in totals.items()}


class EarlyStopping:
    def __init__(self, patience=3, mode="max"):
        self.patience, self.sign = patience, 1 if mode == "max" else -1
        self.best, self.bad = None, 0

    def __call__(self, value):
        value = self.sign * value
        if self.best is None or value > self.best:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def train(frame, test_frame, n_users, n_items, epochs=10, lr=1e-3, gpu=0, accumulate=2):
    device = torch.device(f"cuda:{gpu}")
    model = TwoTower(n_users, n_items).to(device)
    optimizer = torch.optim.Adam([
        {"params": model.towers.parameters()},
        {"params": [model.log_temperature], "lr": lr / 10},
    ], lr=lr)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max")
    data, test = Interactions(frame, n_items), Interactions(test_frame, n_items)
    loader = DataLoader(data, batch_size=2048, shuffle=True, num_workers=8, pin_memory=True, drop_last=True)
    users = EvalUsers(data, test)
    stopper = EarlyStopping()
    for epoch in range(epochs):
        model.train()
        began, total = time.time(), 0.0
        bar = tqdm(loader, desc=f"epoch {epoch}")
        for i, batch in enumerate(bar):
            batch = {k: v.to(device, non_blocking=True) for k, v in batch.items()}
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = model(batch) / accumulate
            loss.backward()
            total += loss.detach()
            if (i + 1) % accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()
                with torch.no_grad():
                    model.log_temperature.clamp_(0, np.log(100))
            bar.set_postfix(loss=f"{total / (i + 1):.4f}", temp=model.log_temperature.item())  # sync: host-read x2
        results = evaluate(model, users, device)
        scheduler.step(results["ndcg@10"])
        logger.info("epoch %d: loss %.4f, %s, %.1f s", epoch, total / len(loader), results, time.time() - began)  # sync: print-tensor note
        if stopper(results["ndcg@10"]):
            break
    return model


if __name__ == "__main__":
    frames = [pd.read_parquet(f"{part}.parquet") for part in ("train", "test")]
    train(*frames, n_users=frames[0]["user"].max() + 1, n_items=frames[0]["item"].max() + 1)
