import numpy as np
import torch


class PackedTokens:
    """memmap of uint16 tokens, like the usual .bin files; written on first use"""

    def __init__(self, path, n_tokens, vocab_size, seed=0):
        rng = np.random.default_rng(seed)
        trans = rng.integers(0, vocab_size, (vocab_size, 4))
        toks = np.empty(n_tokens, dtype=np.uint16)
        t = 0
        picks = rng.integers(0, 4, n_tokens)
        for i in range(n_tokens):
            toks[i] = t
            t = trans[t, picks[i]]
        toks.tofile(path)
        self.data = np.memmap(path, dtype=np.uint16, mode="r")
        self.rng = np.random.default_rng(seed + 1)

    def get_batch(self, bsz, seq_len, device):
        ix = self.rng.integers(0, len(self.data) - seq_len - 1, bsz)
        x = torch.stack([torch.from_numpy(self.data[i:i + seq_len].astype(np.int64)) for i in ix])
        y = torch.stack([torch.from_numpy(self.data[i + 1:i + 1 + seq_len].astype(np.int64)) for i in ix])
        if device == "cuda":
            return x.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
        return x.to(device), y.to(device)


class Prefetcher:
    """copy the next batch on a side stream while the current one trains"""

    def __init__(self, ds, bsz, seq_len, device):
        self.args = (bsz, seq_len, device)
        self.ds = ds
        self.stream = torch.cuda.Stream() if torch.cuda.is_available() else None
        self.preload()

    def preload(self):
        if self.stream is None:
            self.nxt = self.ds.get_batch(*self.args)
            return
        with torch.cuda.stream(self.stream):
            self.nxt = self.ds.get_batch(*self.args)

    def next(self):
        if self.stream is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.nxt
        if self.stream is not None:
            for t in batch:
                t.record_stream(torch.cuda.current_stream())
        self.preload()
        return batch
