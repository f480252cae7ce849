"""Rows of a table, texts one by one, blocks of tokens, functions that collate."""
import pandas as pd
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset
from transformers import AutoTokenizer, AutoModel

tokenizer = AutoTokenizer.from_pretrained("roberta-base")
emb = nn.Embedding(30522, 64).cuda()
MAX_LEN = 180


class Frame(Dataset):
    def __init__(self, df, tokenizer, max_length=MAX_LEN):
        self.df = df
        self.tokenizer = tokenizer
        self.max_length = max_length

    def __len__(self):
        return len(self.df)

    def __getitem__(self, idx):
        text = self.df.iloc[idx]["text"]
        inputs = self.tokenizer(text, truncation=True, padding="max_length", max_length=self.max_length, return_tensors="pt")
        item = {key: val.squeeze(0) for key, val in inputs.items()}
        item["label"] = torch.tensor(self.df["label"][idx], dtype=torch.float)
        return item


class Plain(Dataset):
    def __init__(self, df):
        self.texts = df.text.values

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, idx):
        enc = tokenizer.encode_plus(str(self.texts[idx]), max_length=MAX_LEN, pad_to_max_length=True)
        return torch.tensor(enc["input_ids"], dtype=torch.long), torch.tensor(enc["attention_mask"], dtype=torch.long)


class Tokens(Dataset):
    def __init__(self, path, block=128):
        self.ids, self.block = torch.load(path), block
        self.data = torch.tensor([int(x) for x in open(path).read().split()])

    def __len__(self):
        return (len(self.data) - 1) // self.block

    def __getitem__(self, i):
        chunk = self.data[i * self.block:(i + 1) * self.block + 1]
        return chunk[:-1], chunk[1:]


def collate(batch):
    texts, labels = zip(*batch)
    enc = tokenizer(list(texts), padding=True, truncation=True, max_length=64, return_tensors="pt")
    return enc["input_ids"], enc["attention_mask"], torch.tensor(labels)


class Pairs(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]["text"], self.rows[i]["label"]


def padded(batch):
    ids = [torch.tensor(tokenizer.encode(row[0], truncation=True, max_length=50)) for row in batch]
    return pad_sequence(ids, batch_first=True, padding_value=0)


frame = pd.read_csv("x.csv")
for batch in DataLoader(Frame(frame, tokenizer), batch_size=16, pin_memory=True):
    emb(batch["input_ids"].cuda(non_blocking=True)) + 1  # is: cuda float (16, 180, 64)
    batch["label"].cuda(non_blocking=True) + 1  # is: cuda
for ids, mask in DataLoader(Plain(frame), 8, pin_memory=True):
    emb(ids.cuda(non_blocking=True)) + 1  # is: cuda float (8, 180, 64)
for x, y in DataLoader(Tokens("tokens.txt"), 8, pin_memory=True):
    emb(x.cuda(non_blocking=True)) + 1  # is: cuda float (8, 128, 64)
    emb(y.cuda(non_blocking=True)) + 1  # is: cuda float (8, 128, 64)
for ids, mask, labels in DataLoader(Pairs(open("x").readlines()), 32, collate_fn=collate, pin_memory=True):
    emb(ids.cuda(non_blocking=True)) + 1  # is: cuda float (32, 1..64, 64)
    labels.cuda(non_blocking=True) + 1  # is: cuda
for ids in DataLoader(Pairs(open("x").readlines()), 12, collate_fn=padded, pin_memory=True):
    emb(ids.cuda(non_blocking=True)) + 1
