"""Blocks out of a long run of tokens, of a file and of characters."""
import numpy as np
import torch
import torch.nn as nn

batch_size, block_size = 12, 256
device = "cuda"
data = np.memmap("train.bin", dtype=np.uint16, mode="r")
text = open("input.txt").read()
chars = sorted(list(set(text)))
stoi = {ch: i for i, ch in enumerate(chars)}
itos = {i: ch for i, ch in enumerate(chars)}
encode = lambda s: [stoi[c] for c in s]
tokens = torch.tensor(encode(text), dtype=torch.long)
n = int(0.9 * len(tokens))
train_data, val_data = tokens[:n], tokens[n:]
emb = nn.Embedding(100, 64).cuda()


def get_batch(split):
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([torch.from_numpy((data[i:i + block_size]).astype(np.int64)) for i in ix])
    y = torch.stack([torch.from_numpy((data[i + 1:i + 1 + block_size]).astype(np.int64)) for i in ix])
    return x.to(device), y.to(device)  # sync: copy-to-device x2


def get_chars(split):
    d = train_data if split == "train" else val_data
    ix = torch.randint(len(d) - block_size, (batch_size,))
    x = torch.stack([d[i:i + block_size] for i in ix])
    y = torch.stack([d[i + 1:i + block_size + 1] for i in ix])
    return x.to(device), y.to(device)  # sync: copy-to-device x2


for it in range(100):
    x, y = get_batch("train")
    emb(x) + 1  # is: cuda float (12, 256, 64)
    x, y = get_chars("train")
    emb(y) + 1  # is: cuda float (12, 256, 64)
