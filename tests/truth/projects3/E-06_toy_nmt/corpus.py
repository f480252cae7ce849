"""
A made-up language pair. Source is SVO with articles and pre-nominal adjectives, target is
agglutinative SOV: case and plural are suffix tokens (written @@x), adjectives follow the noun,
articles are dropped, tense moves to the verb. Some prepositions are translated depending on the verb.
"""
import random
from collections import Counter

import torch

PAD, UNK, BOS, EOS = 0, 1, 2, 3
SPECIALS = ['<pad>', '<unk>', '<s>', '</s>']


def _word(rng, n):
    return ''.join(rng.choice('bdfgklmnprstvz') + rng.choice('aeiou') for _ in range(n))


class Grammar:
    def __init__(self, seed=0, n_noun=60, n_verb=24, n_adj=20, n_adv=8):
        rng = random.Random(seed)
        used = set()

        def fresh(n):
            while True:
                w = _word(rng, n)
                if w not in used:
                    used.add(w)
                    return w

        def lex(size):
            return [(fresh(rng.choice([2, 3])), fresh(rng.choice([2, 3]))) for _ in range(size)]

        self.nouns, self.verbs, self.adjs, self.advs = lex(n_noun), lex(n_verb), lex(n_adj), lex(n_adv)
        self.preps = [('in', ('@@de', '@@da')), ('with', ('@@le', '@@la')), ('to', ('@@e', '@@a'))]

    def noun_phrase(self, rng, depth=0):
        s, t = rng.choice(self.nouns)
        plural = rng.random() < 0.35
        src = [rng.choice(['the', 'some']) if plural else rng.choice(['the', 'a'])]
        tgt = [t]
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            a, b = rng.choice(self.adjs)
            src.append(a)
            tgt.append(b)
        src.append(s)
        if plural:
            src.append('+s')
            tgt.insert(1, '@@lar')
        if depth == 0 and rng.random() < 0.2:
            vs, vt = rng.choice(self.verbs)
            os_, ot = self.noun_phrase(rng, depth=1)
            src += ['that', vs] + os_
            tgt = ot + ['@@i', vt, '@@an'] + tgt
        return src, tgt

    def sentence(self, rng):
        ss, st = self.noun_phrase(rng)
        os_, ot = self.noun_phrase(rng)
        vi = rng.randrange(len(self.verbs))
        vs, vt = self.verbs[vi]
        src, tgt = ss[:], st[:]
        tense = rng.choice(['past', 'pres', 'fut'])
        verb = {'past': [vs, '+ed'], 'pres': [vs], 'fut': ['will', vs]}[tense]
        vtgt = [vt, {'past': '@@di', 'pres': '@@yor', 'fut': '@@ecek'}[tense]]
        if rng.random() < 0.2:
            verb = ['not'] + verb
            vtgt.insert(1, '@@me')
        src += verb + os_
        tgt += ot + ['@@i']
        if rng.random() < 0.4:
            p, forms = rng.choice(self.preps)
            ps, pt = self.noun_phrase(rng, depth=1)
            src += [p] + ps
            tgt += pt + [forms[vi % 2]]
        if rng.random() < 0.3:
            a, b = rng.choice(self.advs)
            src.append(a)
            tgt.insert(0, b)
        return src + ['.'], tgt + vtgt + ['.']


def make_corpus(n, grammar, seed):
    rng = random.Random(seed)
    seen, out = set(), []
    while len(out) < n:
        s, t = grammar.sentence(rng)
        key = ' '.join(s)
        if key not in seen:
            seen.add(key)
            out.append((s, t))
    return out


class Vocab:
    def __init__(self, sents, min_freq=1):
        c = Counter(w for s in sents for w in s)
        self.itos = SPECIALS + sorted(w for w, f in c.items() if f >= min_freq)
        self.stoi = {w: i for i, w in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, words):
        return [self.stoi.get(w, UNK) for w in words]

    def decode(self, ids):
        out = []
        for i in ids:
            if i == EOS:
                break
            if i not in (PAD, BOS):
                out.append(self.itos[i])
        return out


class TokenBucketSampler:
    """batches of similar length with at most max_tokens (padded) target tokens"""

    def __init__(self, lengths, max_tokens, seed=0):
        self.lengths, self.max_tokens = lengths, max_tokens
        self.rng = random.Random(seed)
        self._make()

    def _make(self):
        order = sorted(range(len(self.lengths)), key=lambda i: (self.lengths[i], self.rng.random()))
        self.batches, cur, width = [], [], 0
        for i in order:
            w = max(width, self.lengths[i])
            if cur and w * (len(cur) + 1) > self.max_tokens:
                self.batches.append(cur)
                cur, w = [], self.lengths[i]
            cur.append(i)
            width = w
        self.batches.append(cur)
        self.rng.shuffle(self.batches)

    def __iter__(self):
        self._make()
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


def pad(seqs):
    out = torch.full((len(seqs), max(map(len, seqs))), PAD, dtype=torch.long)
    for i, s in enumerate(seqs):
        out[i, :len(s)] = torch.tensor(s)
    return out


class PairDataset(torch.utils.data.Dataset):
    def __init__(self, pairs, sv, tv):
        self.raw = pairs
        self.items = [(sv.encode(s) + [EOS], [BOS] + tv.encode(t) + [EOS]) for s, t in pairs]
        self.lengths = [max(len(s), len(t)) for s, t in self.items]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    @staticmethod
    def collate(batch):
        return pad([b[0] for b in batch]), pad([b[1] for b in batch])
