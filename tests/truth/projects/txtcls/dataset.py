import logging
import random

import torch
from torch.utils.data import Dataset

logger = logging.getLogger(__name__)

TOPICS = {
    "sport": "match goal team coach league win score player season cup".split(),
    "tech": "chip software phone cloud code data model network startup app".split(),
    "food": "recipe oven salt butter chef taste dish sauce bread grill".split(),
    "politics": "vote senate law minister party election debate reform tax budget".split(),
}
FILLER = "the a of to and in on for with was is it this that by from at as after new".split()


class Vocab:
    PAD, UNK, CLS = 0, 1, 2

    def __init__(self, texts, min_freq=1):
        freq = {}
        for t in texts:
            for tok in t.split():
                freq[tok] = freq.get(tok, 0) + 1
        self.itos = ["<pad>", "<unk>", "<cls>"] + sorted(w for w, c in freq.items() if c >= min_freq)
        self.stoi = {w: i for i, w in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text, max_len):
        ids = [self.CLS] + [self.stoi.get(t, self.UNK) for t in text.split()]
        return ids[:max_len]


def load_news(n, seed):
    """Same (text, label) layout as our internal news dump, only synthetic."""
    rng = random.Random(seed)
    names = list(TOPICS)
    rows = []
    for _ in range(n):
        y = rng.choices(range(len(names)), weights=[4, 3, 2, 1])[0]
        length = rng.randint(6, 40)
        words = [rng.choice(TOPICS[names[y]]) if rng.random() < 0.3 else rng.choice(FILLER) for _ in range(length)]
        if rng.random() < 0.1:
            y = rng.randrange(len(names))
        rows.append((" ".join(words), y))
    return rows


class NewsDataset(Dataset):
    def __init__(self, rows, vocab, max_len=32):
        self.vocab = vocab
        self.examples = [(vocab.encode(t, max_len), y) for t, y in rows]
        logger.info("loaded %d examples, mean length %.1f", len(self.examples),
                    sum(len(e[0]) for e in self.examples) / len(self.examples))

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, i):
        return self.examples[i]


def collate(batch):
    lengths = [len(x) for x, _ in batch]
    ids = torch.full((len(batch), max(lengths)), Vocab.PAD, dtype=torch.long)
    for i, (x, _) in enumerate(batch):
        ids[i, :len(x)] = torch.tensor(x)
    labels = torch.tensor([y for _, y in batch])
    return {"input_ids": ids, "lengths": torch.tensor(lengths), "labels": labels}
