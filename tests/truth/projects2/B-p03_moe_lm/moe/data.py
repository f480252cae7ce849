import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class MarkovMixture(Dataset):
    """Each sequence comes from one of several bigram "languages"; a good router should tell them apart."""

    def __init__(self, n, seq_len, vocab, n_lang=4, seed=0):
        rng = np.random.RandomState(1234)
        self.trans = rng.dirichlet(np.ones(vocab) * 0.05, size=(n_lang, vocab))
        self.n, self.seq_len, self.vocab, self.n_lang, self.seed = n, seq_len, vocab, n_lang, seed
        self.cum = self.trans.cumsum(-1)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        rng = np.random.RandomState(self.seed * 100003 + i)
        lang = rng.randint(self.n_lang)
        tok = rng.randint(self.vocab)
        seq = [tok]
        for u in rng.rand(self.seq_len):
            tok = min(int(np.searchsorted(self.cum[lang, tok], u)), self.vocab - 1)
            seq.append(tok)
        return {"tokens": torch.tensor(seq, dtype=torch.long), "lang": lang}


def build_train_loader(cfg):
    ds = MarkovMixture(cfg.DATA.NUM_TRAIN, cfg.DATA.SEQ_LEN, cfg.MODEL.VOCAB_SIZE, seed=1)
    return DataLoader(ds, batch_size=cfg.SOLVER.IMS_PER_BATCH, shuffle=True, drop_last=True,
                      num_workers=cfg.DATA.NUM_WORKERS, pin_memory=True)


def build_test_loader(cfg):
    ds = MarkovMixture(cfg.DATA.NUM_VAL, cfg.DATA.SEQ_LEN, cfg.MODEL.VOCAB_SIZE, seed=2)
    return DataLoader(ds, batch_size=cfg.SOLVER.IMS_PER_BATCH, num_workers=0)
