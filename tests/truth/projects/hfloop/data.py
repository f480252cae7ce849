import random

import torch
from torch.utils.data import Dataset

SPECIAL = {"<pad>": 0, "<bos>": 1, "<eos>": 2}
CHARS = "0123456789+-*= ()"
stoi = {**SPECIAL, **{c: i + 3 for i, c in enumerate(CHARS)}}
itos = {i: c for c, i in stoi.items()}
VOCAB_SIZE = len(stoi)


def encode(s):
    return [stoi[c] for c in s]


def decode(ids):
    out = []
    for i in ids:
        if i == SPECIAL["<eos>"]:
            break
        if i > 2:
            out.append(itos[i])
    return "".join(out)


class ArithmeticDataset(Dataset):
    """prompt: '12+7=' target: '19'. Loss is computed on the answer only."""

    def __init__(self, size, max_num=20, seed=0):
        rng = random.Random(seed)
        self.samples = []
        for _ in range(size):
            a, b = rng.randint(0, max_num), rng.randint(0, max_num)
            op = rng.choice("+-")
            self.samples.append((f"{a}{op}{b}=", str(eval(f"{a}{op}{b}"))))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, idx):
        prompt, answer = self.samples[idx]
        return {"prompt": prompt, "answer": answer}


def collate_train(batch):
    seqs, labels = [], []
    for ex in batch:
        p = [SPECIAL["<bos>"]] + encode(ex["prompt"])
        a = encode(ex["answer"]) + [SPECIAL["<eos>"]]
        seqs.append(p + a)
        labels.append([-100] * len(p) + a)
    n = max(map(len, seqs))
    return {
        "input_ids": torch.tensor([s + [0] * (n - len(s)) for s in seqs]),
        "attention_mask": torch.tensor([[1] * len(s) + [0] * (n - len(s)) for s in seqs]),
        "labels": torch.tensor([l + [-100] * (n - len(l)) for l in labels]),
    }


def collate_eval(batch):
    # left padding for generation
    prompts = [[SPECIAL["<bos>"]] + encode(ex["prompt"]) for ex in batch]
    n = max(map(len, prompts))
    return {
        "input_ids": torch.tensor([[0] * (n - len(p)) + p for p in prompts]),
        "attention_mask": torch.tensor([[0] * (n - len(p)) + [1] * len(p) for p in prompts]),
        "answers": [ex["answer"] for ex in batch],
        "prompts": [ex["prompt"] for ex in batch],
    }
