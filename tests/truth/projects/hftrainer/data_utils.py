import random
from dataclasses import dataclass
from typing import Any, Dict, List

import torch
from torch.utils.data import Dataset

PAD, CLS, SEP, UNK = 0, 1, 2, 3
SUBJECTS = "the movie|this film|her acting|the script|the ending|the soundtrack".split("|")
POS = "great wonderful superb charming brilliant moving fun".split()
NEG = "awful boring terrible dull weak clumsy tedious".split()
NEU = "okay average ordinary fine watchable standard typical".split()
FILL = "really quite rather very somewhat truly almost always".split()
LABELS = ["negative", "neutral", "positive"]
PROBS = [0.25, 0.15, 0.60]


class WordTokenizer:
    def __init__(self):
        words = sorted({w for s in SUBJECTS for w in s.split()} | set(POS) | set(NEG) | set(NEU) | set(FILL) | {"is", "and", "not"})
        self.vocab = {w: i + 4 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.vocab) + 4

    def __call__(self, text: str, max_length: int = 32) -> Dict[str, List[int]]:
        ids = [CLS] + [self.vocab.get(w, UNK) for w in text.lower().split()][: max_length - 2] + [SEP]
        return {"input_ids": ids, "attention_mask": [1] * len(ids)}


def make_review(rng):
    label = rng.choices([0, 1, 2], PROBS)[0]
    words = [NEG, NEU, POS][label]
    text = f"{rng.choice(SUBJECTS)} is {rng.choice(FILL)} {rng.choice(words)}"
    while rng.random() < 0.5:
        text += f" and {rng.choice(SUBJECTS)} is {rng.choice(words)}"
    return text, label


class ReviewDataset(Dataset):
    def __init__(self, tokenizer, n, seed, noise=0.05):
        rng = random.Random(seed)
        self.features = []
        for _ in range(n):
            text, label = make_review(rng)
            if rng.random() < noise:
                label = rng.randrange(3)
            self.features.append({**tokenizer(text), "labels": label})

    def __len__(self):
        return len(self.features)

    def __getitem__(self, i):
        return self.features[i]

    def class_weights(self):
        counts = torch.bincount(torch.tensor([f["labels"] for f in self.features]), minlength=3).float()
        return counts.sum() / (len(counts) * counts)


@dataclass
class PadCollator:
    pad_to_multiple_of: int = 8

    def __call__(self, features: List[Dict[str, Any]]) -> Dict[str, torch.Tensor]:
        n = max(len(f["input_ids"]) for f in features)
        n = (n + self.pad_to_multiple_of - 1) // self.pad_to_multiple_of * self.pad_to_multiple_of
        batch = {
            "input_ids": torch.full((len(features), n), PAD, dtype=torch.long),
            "attention_mask": torch.zeros(len(features), n, dtype=torch.long),
            "labels": torch.tensor([f["labels"] for f in features]),
        }
        for i, f in enumerate(features):
            batch["input_ids"][i, : len(f["input_ids"])] = torch.tensor(f["input_ids"])
            batch["attention_mask"][i, : len(f["input_ids"])] = 1
        return batch
