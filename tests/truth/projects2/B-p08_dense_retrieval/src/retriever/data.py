import random

import torch
from torch.utils.data import Dataset

PAD, CLS, SEP, BASE = 0, 1, 2, 3


class Collection:
    """
    Passages about entities inside topics. Words of a topic are shared by its passages (so they are
    hard negatives for one another), the entity words decide the relevance. A query paraphrases: every
    entity word has a synonym that only queries use.
    """

    def __init__(self, args, seed=0):
        rng = random.Random(seed)
        self.n_topic_words, self.n_entity = 12, 600
        topic0 = BASE
        entity0 = topic0 + args.n_topics * self.n_topic_words
        syn0 = entity0 + self.n_entity
        common0 = syn0 + self.n_entity
        self.vocab_size = common0 + 100
        self.passages, self.entities = [], []
        for _ in range(args.n_passages):
            topic = rng.randrange(args.n_topics)
            ent = rng.sample(range(self.n_entity), 3)
            words = [topic0 + topic * self.n_topic_words + rng.randrange(self.n_topic_words) for _ in range(12)]
            words += [entity0 + e for e in ent] * 2
            words += [common0 + rng.randrange(100) for _ in range(rng.randint(4, 20))]
            rng.shuffle(words)
            self.passages.append(words)
            self.entities.append((topic, ent))
        self.queries, self.qrels = [], []
        for _ in range(args.n_queries):
            pid = rng.randrange(args.n_passages)
            topic, ent = self.entities[pid]
            q = [(syn0 if rng.random() < 0.5 else entity0) + e for e in rng.sample(ent, 2)]
            q += [topic0 + topic * self.n_topic_words + rng.randrange(self.n_topic_words) for _ in range(2)]
            q += [common0 + rng.randrange(100) for _ in range(rng.randint(1, 4))]
            rng.shuffle(q)
            self.queries.append(q)
            self.qrels.append(pid)


def tokenize(seqs, max_len):
    seqs = [[CLS] + s[: max_len - 2] + [SEP] for s in seqs]
    n = max(map(len, seqs))
    ids = torch.tensor([s + [PAD] * (n - len(s)) for s in seqs])
    return {"input_ids": ids, "attention_mask": (ids != PAD).long()}


class TrainDataset(Dataset):
    def __init__(self, collection, qids, args, negatives=None):
        self.c, self.qids, self.args = collection, qids, args
        self.negatives = negatives or {}

    def __len__(self):
        return len(self.qids)

    def __getitem__(self, i):
        qid = self.qids[i]
        pos = self.c.qrels[qid]
        pool = self.negatives.get(qid, [])
        n = self.args.train_n_neg
        if len(pool) >= n:
            negs = random.sample(pool, n)
        else:
            negs = pool + [random.randrange(len(self.c.passages)) for _ in range(n - len(pool))]
        return self.c.queries[qid], [self.c.passages[p] for p in [pos] + negs], [pos] + negs


class TrainCollator:
    def __init__(self, args):
        self.args = args

    def __call__(self, features):
        queries = [f[0] for f in features]
        passages = [p for f in features for p in f[1]]
        pids = torch.tensor([p for f in features for p in f[2]])
        return tokenize(queries, self.args.q_max_len), tokenize(passages, self.args.p_max_len), pids
