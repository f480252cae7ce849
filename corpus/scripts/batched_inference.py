"""Embed a set of documents in batches and write the vectors to disk."""
import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm


class Documents(Dataset):
    def __init__(self, n, vocab, seed=0):
        rng = np.random.default_rng(seed)
        self.docs = [rng.integers(1, vocab, size=int(rng.integers(5, 60))).tolist() for _ in range(n)]

    def __len__(self):
        return len(self.docs)

    def __getitem__(self, i):
        return i, self.docs[i]


def pad_batch(items):
    ids = torch.tensor([i for i, _ in items])
    longest = max(len(d) for _, d in items)
    tokens = torch.zeros(len(items), longest, dtype=torch.long)
    for row, (_, d) in enumerate(items):
        tokens[row, : len(d)] = torch.tensor(d)
    return {"ids": ids, "tokens": tokens, "mask": tokens != 0}


class Encoder(nn.Module):
    def __init__(self, vocab, dim=64, layers=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        layer = nn.TransformerEncoderLayer(dim, 4, 4 * dim, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.pool = nn.Linear(dim, dim)

    def forward(self, tokens, mask):
        h = self.encoder(self.embed(tokens), src_key_padding_mask=~mask)
        h = h * mask.unsqueeze(-1)
        lengths = mask.sum(1, keepdim=True).clamp(min=1)
        return nn.functional.normalize(self.pool(h.sum(1) / lengths), dim=-1)


def to_device(batch, device):
    """Recursively move a batch."""
    if torch.is_tensor(batch):
        return batch.to(device)  # sync: copy-to-device
    if isinstance(batch, dict):
        return {k: to_device(v, device) for k, v in batch.items()}
    return batch


class Timer:
    def __init__(self):
        self.spans = []

    def __enter__(self):
        torch.cuda.synchronize()  # sync: sync-for-timer
        self.t = time.perf_counter()
        return self

    def __exit__(self, *exc):
        torch.cuda.synchronize()  # sync: sync-for-timer
        self.spans.append(time.perf_counter() - self.t)

    def summary(self):
        return f"p50 {np.percentile(self.spans, 50) * 1e3:.2f} ms, p95 {np.percentile(self.spans, 95) * 1e3:.2f} ms"


@torch.inference_mode()
def embed_all(model, loader, device, dim):
    out = np.zeros((len(loader.dataset), dim), dtype=np.float32)
    timer = Timer()
    n_tokens = 0
    for batch in tqdm(loader, disable=None):
        n_tokens += batch["mask"].sum().item()
        doc_ids = batch["ids"].numpy()
        batch = to_device({"tokens": batch["tokens"], "mask": batch["mask"]}, device)
        with timer:
            vectors = model(batch["tokens"], batch["mask"])
        out[doc_ids] = vectors.cpu().numpy()  # sync: copy-to-host
    print(f"{n_tokens} tokens, {timer.summary()}")
    return out


@torch.inference_mode()
def embed_all_fast(model, loader, device):
    """Same result, and only one wait at the end."""
    chunks, order = [], []
    for batch in loader:
        order.append(batch["ids"])
        tokens = batch["tokens"].pin_memory().to(device, non_blocking=True)  # sync: pin-per-step note
        mask = batch["mask"].pin_memory().to(device, non_blocking=True)  # sync: pin-per-step note
        chunks.append(model(tokens, mask))
    vectors = torch.cat(chunks).cpu().numpy()
    out = np.empty_like(vectors)
    out[torch.cat(order).numpy()] = vectors
    return out


def nearest(vectors, queries, k=3):
    sims = queries @ vectors.T
    top = np.argsort(-sims, axis=1)[:, :k]
    for i, row in enumerate(top):
        print(i, [(int(j), round(float(sims[i, j]), 3)) for j in row])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--docs", type=int, default=2000)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--vocab", type=int, default=1000)
    ap.add_argument("--dim", type=int, default=64)
    ap.add_argument("--output", type=Path, default=Path("embeddings.npy"))
    args = ap.parse_args()

    torch.manual_seed(0)
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    model = Encoder(args.vocab, args.dim).to(device).eval()
    loader = DataLoader(Documents(args.docs, args.vocab), batch_size=args.batch_size, collate_fn=pad_batch)

    vectors = embed_all(model, loader, device, args.dim)
    fast = embed_all_fast(model, loader, device)
    print("largest difference", float(np.abs(vectors - fast).max()))
    np.save(args.output, vectors)
    nearest(vectors, vectors[:3])


if __name__ == "__main__":
    main()
