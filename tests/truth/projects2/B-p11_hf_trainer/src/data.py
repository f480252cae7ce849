import random
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

import torch
from torch.utils.data import Dataset

LABELS = ["billing", "bug", "feature", "praise", "refund", "spam"]
FREQ = [0.40, 0.25, 0.15, 0.10, 0.06, 0.04]  # long tail
KEYWORDS = {
    "billing": "invoice charge card payment price month plan".split(),
    "bug": "crash error broken screen freeze update fail".split(),
    "feature": "add wish could option support dark export".split(),
    "praise": "love great best thanks amazing perfect nice".split(),
    "refund": "money back cancel return charge order never".split(),
    "spam": "click win free link prize now cheap".split(),
}
FILLER = ("the a i you it is was to of and in on for with my your app please when then this that have has very "
          "just really again today since").split()


class WordTokenizer:
    """enough of a tokenizer for this"""

    pad_token_id, cls_token_id, sep_token_id, unk_token_id = 0, 1, 2, 3

    def __init__(self):
        words = sorted(set(FILLER).union(*KEYWORDS.values()))
        self.vocab = {w: i + 4 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.vocab) + 4

    def __call__(self, text: str, max_length: int = 48) -> Dict[str, List[int]]:
        ids = [self.vocab.get(w, self.unk_token_id) for w in text.split()][: max_length - 2]
        return {"input_ids": [self.cls_token_id] + ids + [self.sep_token_id]}


def make_ticket(rng):
    label = rng.choices(LABELS, FREQ)[0]
    words = rng.choices(KEYWORDS[label], k=rng.randint(1, 4))
    words += rng.choices(KEYWORDS[rng.choice(LABELS)], k=1)
    words += rng.choices(FILLER, k=rng.randint(5, 25))
    rng.shuffle(words)
    if rng.random() < 0.03:
        label = rng.choice(LABELS)  # annotators are people
    return " ".join(words), LABELS.index(label)


class TicketDataset(Dataset):
    def __init__(self, n, tokenizer, seed):
        rng = random.Random(seed)
        self.rows = [make_ticket(rng) for _ in range(n)]
        self.tokenizer = tokenizer

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        text, label = self.rows[i]
        return {**self.tokenizer(text), "labels": label}

    @property
    def labels(self):
        return [r[1] for r in self.rows]


@dataclass
class PaddingCollator:
    pad_token_id: int = 0
    pad_to_multiple_of: Optional[int] = 8

    def __call__(self, features: List[Dict[str, Any]]) -> Dict[str, torch.Tensor]:
        n = max(len(f["input_ids"]) for f in features)
        if self.pad_to_multiple_of:
            n = -(-n // self.pad_to_multiple_of) * self.pad_to_multiple_of
        ids = torch.full((len(features), n), self.pad_token_id, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for i, f in enumerate(features):
            k = len(f["input_ids"])
            ids[i, :k] = torch.tensor(f["input_ids"])
            mask[i, :k] = 1
        return {"input_ids": ids, "attention_mask": mask,
                "labels": torch.tensor([f["labels"] for f in features], dtype=torch.long)}
