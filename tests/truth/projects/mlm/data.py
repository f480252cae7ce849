import numpy as np
import torch
from torch.utils.data import Dataset

PAD, CLS, SEP, MASK = 0, 1, 2, 3
NUM_SPECIAL = 4


class PretrainingDataset(Dataset):
    """Sentence pairs with dynamic masking. Documents are markov chains instead of wikipedia shards."""

    def __init__(self, n, cfg, seed=0):
        self.cfg = cfg
        self.rng = np.random.RandomState(seed)
        self.V = cfg.model.vocab_size
        trans = np.random.RandomState(7).randint(NUM_SPECIAL, self.V, size=(self.V, 3))
        self.docs = []
        for _ in range(n):
            doc = [self.rng.randint(NUM_SPECIAL, self.V)]
            while len(doc) < cfg.seq_len:
                doc.append(int(trans[doc[-1], self.rng.randint(3)]))
            self.docs.append(doc)

    def __len__(self):
        return len(self.docs)

    def mask_tokens(self, ids):
        labels = np.full_like(ids, -1)
        for i, t in enumerate(ids):
            if t < NUM_SPECIAL or self.rng.rand() > self.cfg.mlm_probability:
                continue
            labels[i] = t
            r = self.rng.rand()
            if r < 0.8:
                ids[i] = MASK
            elif r < 0.9:
                ids[i] = self.rng.randint(NUM_SPECIAL, self.V)
        return ids, labels

    def __getitem__(self, i):
        L = self.cfg.seq_len
        doc = self.docs[i]
        cut = self.rng.randint(5, L - 10)
        is_random = int(self.rng.rand() < 0.5)
        a = doc[:cut]
        b = self.docs[self.rng.randint(len(self.docs))][cut:] if is_random else doc[cut:]
        b = b[:self.rng.randint(5, len(b) + 1)]
        ids = ([CLS] + a + [SEP] + b)[:L - 1] + [SEP]
        types = [0] * (len(a) + 2) + [1] * (len(ids) - len(a) - 2)
        n = len(ids)
        ids = np.array(ids + [PAD] * (L - n))
        types = np.array((types + [0] * L)[:L])
        mask = np.array([1] * n + [0] * (L - n))
        ids, labels = self.mask_tokens(ids)
        return [torch.from_numpy(a.astype(np.int64)) for a in (ids, types, mask, labels)] + [torch.tensor(is_random)]
