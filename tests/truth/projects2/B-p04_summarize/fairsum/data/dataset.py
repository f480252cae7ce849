import random

import numpy as np
import torch
from torch.utils.data import Dataset, Sampler

PEOPLE = 'smith jones lee garcia brown patel kim weber rossi novak'.split()
TEAMS = 'tigers lions eagles sharks wolves bears'.split()
CITIES = 'boston london tokyo paris berlin madrid oslo cairo'.split()
DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split()


def generate_corpus(n, seed):
    """Sports reports: the summary says who beat whom, where and by how much."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(n):
        a, b = rng.sample(TEAMS, 2)
        city, day, star = rng.choice(CITIES), rng.choice(DAYS), rng.choice(PEOPLE)
        sa, sb = rng.randint(2, 9), rng.randint(0, 9)
        while sa == sb:
            sb = rng.randint(0, 9)
        win, lose = (a, b) if sa > sb else (b, a)
        hi, lo = max(sa, sb), min(sa, sb)
        sents = [
            'the %s played the %s in %s on %s .' % (a, b, city, day),
            'the final score was %d to %d .' % (sa, sb),
            '%s was named the best player of the game .' % star,
        ]
        filler = [
            'the weather was %s .' % rng.choice(['cold', 'warm', 'wet', 'windy']),
            'about %d thousand people came to see it .' % rng.randint(1, 40),
            'coach %s said that the team must work harder .' % rng.choice(PEOPLE),
            'tickets for the next game are sold out .',
            'the referee gave %d cards .' % rng.randint(1, 6),
        ]
        extra = rng.sample(filler, rng.randint(1, 4))
        body = sents[1:] + extra
        rng.shuffle(body)
        src = ' '.join([sents[0]] + body)
        tgt = '%s beat %s %d %d in %s thanks to %s' % (win, lose, hi, lo, city, star)
        pairs.append((src, tgt))
    return pairs


class SummaryDataset(Dataset):
    def __init__(self, pairs, dictionary):
        self.src = [dictionary.encode_line(s) for s, _ in pairs]
        self.tgt = [dictionary.encode_line(t) for _, t in pairs]
        self.pairs = pairs
        self.sizes = np.array([max(len(s), len(t)) for s, t in zip(self.src, self.tgt)])

    def __len__(self):
        return len(self.src)

    def __getitem__(self, i):
        return {'id': i, 'source': self.src[i], 'target': self.tgt[i]}


class MaxTokensBatchSampler(Sampler):
    """Buckets by length, at most max_tokens (with padding) in a batch."""

    def __init__(self, dataset, max_tokens, shuffle=True, seed=1):
        self.max_tokens, self.shuffle, self.seed = max_tokens, shuffle, seed
        self.epoch = 0
        self.batches = []
        batch, longest = [], 0
        for i in np.argsort(dataset.sizes, kind='mergesort'):
            longest = max(longest, int(dataset.sizes[i]))
            if batch and longest * (len(batch) + 1) > max_tokens:
                self.batches.append(batch)
                batch, longest = [], int(dataset.sizes[i])
            batch.append(int(i))
        if batch:
            self.batches.append(batch)

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        order = list(range(len(self.batches)))
        if self.shuffle:
            random.Random(self.seed + self.epoch).shuffle(order)
        for o in order:
            yield self.batches[o]


def _pad(values, pad, size=None):
    size = max(v.size(0) for v in values)
    res = values[0].new(len(values), size).fill_(pad)
    for i, v in enumerate(values):
        res[i, :len(v)].copy_(v)
    return res


def collate_fn(samples, pad_idx=0, eos_idx=2):
    samples = sorted(samples, key=lambda s: -len(s['source']))
    target = _pad([s['target'] for s in samples], pad_idx)
    # teacher forcing: </s> moved to the beginning
    prev = _pad([torch.cat([s['target'][-1:], s['target'][:-1]]) for s in samples], pad_idx)
    return {
        'id': torch.LongTensor([s['id'] for s in samples]),
        'ntokens': sum(len(s['target']) for s in samples),
        'net_input': {
            'src_tokens': _pad([s['source'] for s in samples], pad_idx),
            'prev_output_tokens': prev,
        },
        'target': target,
    }
