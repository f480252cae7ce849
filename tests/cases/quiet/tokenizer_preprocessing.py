"""Text to ids and back: dictionaries, lists and CPU tensors in the preparation of a corpus."""
import collections
import re

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD, UNK, BOS, EOS = range(4)


class Vocabulary:
    def __init__(self, texts, minimum=2):
        counts = collections.Counter(token for text in texts for token in self.split(text))
        kept = [token for token, n in counts.most_common() if n >= minimum]
        self.tokens = ["<pad>", "<unk>", "<s>", "</s>"] + kept
        self.index = {token: i for i, token in enumerate(self.tokens)}

    def __len__(self):
        return len(self.tokens)

    @staticmethod
    def split(text):
        return re.findall(r"\w+|[^\w\s]", text.lower())

    def encode(self, text, limit=256):
        ids = [self.index.get(token, UNK) for token in self.split(text)][: limit - 2]
        return torch.tensor([BOS] + ids + [EOS])

    def decode(self, ids):
        words = []
        for i in ids.tolist() if torch.is_tensor(ids) else ids:
            if i == EOS:
                break
            if i in (PAD, BOS):
                continue
            words.append(self.tokens[i])
        return " ".join(words)


class Pairs(Dataset):
    def __init__(self, rows, source, target):
        self.rows = [(source.encode(a), target.encode(b)) for a, b in rows]
        lengths = torch.tensor([len(a) for a, _ in self.rows])
        self.order = lengths.argsort(descending=True).tolist()
        print(f"{len(self.rows)} pairs, longest {lengths.max().item()}, mean {lengths.float().mean():.1f}")
        unknown = torch.cat([a for a, _ in self.rows]).eq(UNK).float().mean().item()
        if unknown > 0.1:
            print("warning: %.1f%% unknown" % (100 * unknown))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[self.order[i]]

    def buckets(self, size):
        for start in range(0, len(self), size):
            chunk = [self[i] for i in range(start, min(start + size, len(self)))]
            longest = max(len(a) for a, _ in chunk)
            yield longest, chunk


def collate(rows):
    sources, targets = zip(*rows)
    lengths = torch.as_tensor([len(s) for s in sources])
    batch = pad_sequence(sources, batch_first=True, padding_value=PAD)
    mask = batch != PAD
    assert mask.sum().item() == lengths.sum().item()
    if (lengths == 0).any():
        raise ValueError("empty line")
    return batch, pad_sequence(targets, batch_first=True, padding_value=PAD), lengths


def write_samples(vocabulary, rows, path):
    with open(path, "w") as file:
        for source, target in rows:
            file.write(f"{vocabulary.decode(source)}\t{vocabulary.decode(target)}\t{source[:5].tolist()}\n")
