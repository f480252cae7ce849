import numpy as np
import torch

from .data import tokenize


@torch.no_grad()
def encode_corpus(model, texts, max_len, device, batch_size=256):
    was = model.training
    model.eval()
    reps = []
    for i in range(0, len(texts), batch_size):
        batch = {k: v.to(device) for k, v in tokenize(texts[i:i + batch_size], max_len).items()}
        reps.append(model.encode(batch).cpu().numpy())
    model.train(was)
    return np.concatenate(reps)


class FlatIPIndex:
    """drop-in for faiss.IndexFlatIP, on the GPU with torch"""

    def __init__(self, dim, device):
        self.dim, self.device = dim, device
        self.x = torch.empty(0, dim, device=device)

    def add(self, x):
        self.x = torch.cat([self.x, torch.from_numpy(x).to(self.device)])

    def search(self, q, k, batch_size=128):
        D, I = [], []
        for i in range(0, len(q), batch_size):
            s = torch.from_numpy(q[i:i + batch_size]).to(self.device) @ self.x.t()
            d, idx = s.topk(k, dim=1)
            D.append(d.cpu().numpy())
            I.append(idx.cpu().numpy())
        return np.concatenate(D), np.concatenate(I)


def mine_hard_negatives(I, qids, qrels, skip, depth):
    """ranks skip..depth that are not relevant; the very top ones are often false negatives"""
    out = {}
    for row, qid in zip(I, qids):
        out[qid] = [int(p) for p in row[skip:depth] if int(p) != qrels[qid]]
    return out


def evaluate_ranking(I, qids, qrels, ks=(1, 5, 20)):
    metrics = {f"recall@{k}": 0.0 for k in ks}
    metrics["mrr@10"] = 0.0
    metrics["ndcg@10"] = 0.0
    for row, qid in zip(I, qids):
        hit = np.where(np.asarray(row) == qrels[qid])[0]
        if len(hit) == 0:
            continue
        r = int(hit[0])
        for k in ks:
            metrics[f"recall@{k}"] += r < k
        if r < 10:
            metrics["mrr@10"] += 1.0 / (r + 1)
            metrics["ndcg@10"] += 1.0 / np.log2(r + 2)
    return {k: float(v) / len(qids) for k, v in metrics.items()}
