"""Makes a small corpus of stories, tokenises it and writes train.bin / val.bin as uint16."""
import os
import random

import numpy as np
import torch

from llama.tokenizer import Tokenizer

NAMES = "Anna Bob Clara David Emma Finn Grace Henry Ivy Jack Kate Leo".split()
ANIMALS = "cat dog bird fox rabbit horse bear duck frog mouse".split()
PLACES = "the forest;the lake;the old house;the market;the hill;the garden;the sea".split(";")
THINGS = "a red ball;a shiny stone;a small key;a warm bread;an old map;a blue kite".split(";")
FEEL = "happy sad tired curious brave afraid proud".split()


def make_story(rng):
    n, a, p, t, f = (rng.choice(x) for x in (NAMES, ANIMALS, PLACES, THINGS, FEEL))
    s = [f"Once upon a time, {n} went to {p} with a {a}."]
    for _ in range(rng.randint(2, 6)):
        s.append(rng.choice([
            f"They found {rng.choice(THINGS)} near {rng.choice(PLACES)}.",
            f"The {a} was very {rng.choice(FEEL)}.",
            f"\"Look, I have {t}!\" said {n}.",
            f"{n} counted to {rng.randint(2, 99)} and then ran to {rng.choice(PLACES)}.",
            f"{rng.choice(NAMES)} came too, and gave {n} {rng.choice(THINGS)}.",
        ]))
    s.append(f"In the end {n} was {f}, and the {a} slept.\n")
    return " ".join(s)


def prepare(data_dir, vocab_size, n_stories=1500, seed=1337):
    os.makedirs(data_dir, exist_ok=True)
    rng = random.Random(seed)
    stories = [make_story(rng) for _ in range(n_stories)]
    tok = Tokenizer()
    tok.train("\n".join(stories[:600]), vocab_size)
    tok.save(os.path.join(data_dir, "tokenizer.json"))
    n_val = n_stories // 10
    for split, docs in (("val", stories[:n_val]), ("train", stories[n_val:])):
        ids = []
        for d in docs:
            ids.extend(tok.encode(d, bos=True, eos=True))
        np.array(ids, dtype=np.uint16).tofile(os.path.join(data_dir, f"{split}.bin"))
        print(f"{split}: {len(ids):,} tokens, {len(docs)} docs")
    return tok


class Task:
    def __init__(self, data_dir, batch_size, block_size, device):
        self.data_dir, self.batch_size, self.block_size, self.device = data_dir, batch_size, block_size, device

    def get_batch(self, split):
        # memmap every time: https://stackoverflow.com/questions/45132940
        data = np.memmap(os.path.join(self.data_dir, f"{split}.bin"), dtype=np.uint16, mode="r")
        ix = torch.randint(len(data) - self.block_size - 1, (self.batch_size,))
        x = torch.stack([torch.from_numpy(data[i:i + self.block_size].astype(np.int64)) for i in ix])
        y = torch.stack([torch.from_numpy(data[i + 1:i + 1 + self.block_size].astype(np.int64)) for i in ix])
        if "cuda" in self.device:
            return x.pin_memory().to(self.device, non_blocking=True), y.pin_memory().to(self.device, non_blocking=True)
        return x.to(self.device), y.to(self.device)

    def sequential(self, split, max_chunks=40):
        data = np.fromfile(os.path.join(self.data_dir, f"{split}.bin"), dtype=np.uint16).astype(np.int64)
        for n, i in enumerate(range(0, len(data) - self.block_size - 1, self.block_size)):
            if n >= max_chunks:
                return
            chunk = torch.from_numpy(data[i:i + self.block_size + 1]).to(self.device)
            yield chunk[None, :-1], chunk[None, 1:]
