"""
Byte pair encoding, trained on words (minbpe-like but with a word cache).
"""
import json
import re
from collections import Counter

PAT = re.compile(r" ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+")


def merge(ids, pair, idx):
    out, i = [], 0
    while i < len(ids):
        if i < len(ids) - 1 and ids[i] == pair[0] and ids[i + 1] == pair[1]:
            out.append(idx)
            i += 2
        else:
            out.append(ids[i])
            i += 1
    return out


class Tokenizer:
    def __init__(self):
        self.merges = {}
        self.vocab = {i: bytes([i]) for i in range(256)}
        self.bos_id = 256
        self.eos_id = 257
        self.pad_id = -1
        self.cache = {}

    @property
    def n_words(self):
        return 258 + len(self.merges)

    def train(self, text, vocab_size):
        words = Counter(PAT.findall(text))
        splits = {w: list(w.encode("utf-8")) for w in words}
        num_merges = vocab_size - 258
        for i in range(num_merges):
            stats = Counter()
            for w, ids in splits.items():
                for p in zip(ids, ids[1:]):
                    stats[p] += words[w]
            if not stats:
                break
            pair = max(stats, key=stats.get)
            idx = 258 + i
            for w in splits:
                splits[w] = merge(splits[w], pair, idx)
            self.merges[pair] = idx
            self.vocab[idx] = self.vocab[pair[0]] + self.vocab[pair[1]]
        self.cache.clear()

    def _encode_word(self, w):
        if w in self.cache:
            return self.cache[w]
        ids = list(w.encode("utf-8"))
        while len(ids) >= 2:
            pair = min(zip(ids, ids[1:]), key=lambda p: self.merges.get(p, float("inf")))
            if pair not in self.merges:
                break
            ids = merge(ids, pair, self.merges[pair])
        self.cache[w] = ids
        return ids

    def encode(self, s, bos=True, eos=False):
        t = []
        for w in PAT.findall(s):
            t.extend(self._encode_word(w))
        if bos:
            t = [self.bos_id] + t
        if eos:
            t = t + [self.eos_id]
        return t

    def decode(self, t):
        return b"".join(self.vocab.get(i, b"") for i in t).decode("utf-8", errors="replace")

    def save(self, path):
        with open(path, "w") as f:
            json.dump([[a, b, i] for (a, b), i in self.merges.items()], f)

    @classmethod
    def load(cls, path):
        tok = cls()
        with open(path) as f:
            for a, b, i in json.load(f):
                tok.merges[(a, b)] = i
                tok.vocab[i] = tok.vocab[a] + tok.vocab[b]
        return tok
