"""Tokenizers within a data set, before it, and in the loop."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from transformers import AutoTokenizer, BertTokenizer

tok = BertTokenizer.from_pretrained("bert-base-uncased")
emb = nn.Embedding(30522, 64).cuda()


class Reviews(Dataset):
    def __init__(self, texts, labels, tokenizer, max_len):
        self.texts, self.labels, self.tokenizer, self.max_len = texts, labels, tokenizer, max_len

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        text = str(self.texts[i])
        enc = self.tokenizer.encode_plus(text, None, add_special_tokens=True, max_length=self.max_len, padding="max_length",
                                         truncation=True, return_token_type_ids=False, return_attention_mask=True, return_tensors="pt")
        return {"review": text, "input_ids": enc["input_ids"].flatten(), "attention_mask": enc["attention_mask"].squeeze(0),
                "targets": torch.tensor(self.labels[i], dtype=torch.long)}


class Encoded(Dataset):
    def __init__(self, encodings, labels):
        self.encodings, self.labels = encodings, labels

    def __getitem__(self, i):
        item = {k: torch.tensor(v[i]) for k, v in self.encodings.items()}
        item["labels"] = torch.tensor(self.labels[i])
        return item

    def __len__(self):
        return len(self.labels)


class Whole(Dataset):
    def __init__(self, texts):
        self.enc = tok(texts, padding=True, truncation=True, max_length=96, return_tensors="pt")

    def __getitem__(self, i):
        return self.enc["input_ids"][i], self.enc["attention_mask"][i]

    def __len__(self):
        return len(self.enc["input_ids"])


lines = open("x").read().split("\n")
labels = [int(l.split()[0]) for l in lines]
for batch in DataLoader(Reviews(lines, labels, tok, 160), batch_size=16, pin_memory=True):
    ids = batch["input_ids"].cuda(non_blocking=True)
    emb(ids) + 1  # is: cuda float (16, 160, 64)
    batch["targets"].cuda(non_blocking=True) + 1  # is: cuda (16,)
enc = tok(lines, truncation=True, padding="max_length", max_length=64)
for batch in DataLoader(Encoded(enc, labels), batch_size=32, pin_memory=True):
    batch = {k: v.cuda(non_blocking=True) for k, v in batch.items()}
    emb(batch["input_ids"]) + 1  # is: cuda float (32, 64, 64)
    batch["labels"] + 1  # is: cuda (32,)
for ids, mask in DataLoader(Whole(lines), batch_size=8, pin_memory=True):
    emb(ids.cuda(non_blocking=True)) + 1  # is: cuda float (8, 1..96, 64)
for i in range(0, len(lines), 16):
    part = tok(lines[i:i + 16], return_tensors="pt", padding="max_length", truncation=True, max_length=128).to("cuda")  # sync: copy-to-device
    emb(part["input_ids"]) + 1  # is: cuda float (16, 128, 64)
    emb(part.input_ids) + 1  # is: cuda float (16, 128, 64)
one = tok("a text", return_tensors="pt", max_length=77, padding="max_length").input_ids.cuda()
for _ in range(10):
    emb(one) + 1  # is: cuda float (1, 77, 64)
