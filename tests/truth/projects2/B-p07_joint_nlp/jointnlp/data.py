import random
from typing import Dict, List

import torch
from torch.utils.data import Dataset

PER = ["alice", "bob", "carol", "dan", "eve", "frank", "gina", "hugo", "ines", "jon"]
SUR = ["miller", "stone", "rivera", "okafor", "tanaka", "dubois", "novak", "berg"]
ORG = ["acme", "globex", "initech", "umbrella", "hooli", "stark", "wayne", "cyberdyne"]
SUF = ["inc", "corp", "labs", "group"]
LOC = ["vienna", "lima", "kyoto", "austin", "porto", "dakar", "oslo", "quebec"]

TAGS = ["O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC"]
RELATIONS = ["no_relation", "works_for", "lives_in", "based_in"]
INTENTS = ["news", "bio", "business"]

TEMPLATES = [
    ("{p} works for {o} since last year", [("p", "o", "works_for")], "bio"),
    ("{p} lives in {l} with two dogs", [("p", "l", "lives_in")], "bio"),
    ("{o} has its main office in {l}", [("o", "l", "based_in")], "business"),
    ("yesterday {p} of {o} talked about prices in {l}", [("p", "o", "works_for")], "news"),
    ("{o} from {l} has fired {p} on monday", [("o", "l", "based_in")], "news"),
    ("{p} went to {l} to visit the house of {o}", [], "news"),
    ("shares of {o} fell while {p} was at home in {l}", [("p", "l", "lives_in")], "business"),
]


class Vocab:
    def __init__(self, sentences: List[List[str]]):
        words = sorted({w for s in sentences for w in s} - {"[CLS]", "[SEP]"})
        self.itos = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + words
        self.stoi = {w: i for i, w in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def __call__(self, words):
        return [self.stoi.get(w, 1) for w in words]


def make_example(rng: random.Random) -> Dict:
    template, rels, intent = rng.choice(TEMPLATES)
    mention = {
        "p": [rng.choice(PER)] + ([rng.choice(SUR)] if rng.random() < 0.6 else []),
        "o": [rng.choice(ORG)] + ([rng.choice(SUF)] if rng.random() < 0.5 else []),
        "l": [rng.choice(LOC)],
    }
    kind = {"p": "PER", "o": "ORG", "l": "LOC"}
    words, tags, spans = ["[CLS]"], ["O"], {}
    for w in template.split():
        if w.startswith("{"):
            m = w[1]
            spans[m] = (len(words), len(words) + len(mention[m]))
            tags += ["B-" + kind[m]] + ["I-" + kind[m]] * (len(mention[m]) - 1)
            words += mention[m]
        else:
            words.append(w)
            tags.append("O")
    words.append("[SEP]")
    tags.append("O")
    gold = {(a, b): r for a, b, r in rels}
    pairs = []
    for a in spans:
        for b in spans:
            if a != b:
                pairs.append((spans[a], spans[b], RELATIONS.index(gold.get((a, b), "no_relation"))))
    return {"words": words, "tags": [TAGS.index(t) for t in tags], "pairs": pairs, "intent": INTENTS.index(intent)}


class JointDataset(Dataset):
    def __init__(self, examples, vocab, word_dropout=0.0):
        self.examples, self.vocab, self.word_dropout = examples, vocab, word_dropout

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, i):
        ex = dict(self.examples[i])
        ids = self.vocab(ex["words"])
        if self.word_dropout:
            ids = [1 if t > 3 and random.random() < self.word_dropout else t for t in ids]
        ex["input_ids"] = ids
        return ex


def collate(batch):
    n = max(len(b["input_ids"]) for b in batch)
    pad = lambda x, v: x + [v] * (n - len(x))
    pairs, labels = [], []
    for i, b in enumerate(batch):
        for (h0, h1), (t0, t1), r in b["pairs"]:
            pairs.append([i, h0, h1, t0, t1])
            labels.append(r)
    return {
        "input_ids": torch.tensor([pad(b["input_ids"], 0) for b in batch]),
        "attention_mask": torch.tensor([pad([1] * len(b["input_ids"]), 0) for b in batch]),
        "tags": torch.tensor([pad(b["tags"], 0) for b in batch]),
        "pairs": torch.tensor(pairs),
        "relations": torch.tensor(labels),
        "intent": torch.tensor([b["intent"] for b in batch]),
    }


def build_datasets(n_train=800, n_dev=160, seed=13):
    rng = random.Random(seed)
    train = [make_example(rng) for _ in range(n_train)]
    dev = [make_example(rng) for _ in range(n_dev)]
    vocab = Vocab([e["words"] for e in train])
    return JointDataset(train, vocab, word_dropout=0.05), JointDataset(dev, vocab), vocab
