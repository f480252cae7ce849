"""Tiny-stories-like corpus from a little grammar, plus a character tokenizer."""
import random

import torch

NAMES = "Ada Ben Cleo Dan Eva Finn Gus Hana Ivo June Kit Lena Milo Nora Otto Pia".split()
ANIMALS = "cat dog fox hen owl pony frog goat mouse duck".split()
PLACES = "the garden|the old barn|the river|the market|the hill|the library|the beach".split("|")
THINGS = "a red ball|a small key|an apple|a wooden boat|a shiny stone|a blue kite|a warm hat".split("|")
MOODS = {"happy": "smiled", "sad": "cried a little", "tired": "yawned", "curious": "looked around", "brave": "stood tall"}


def story(rng):
    name, friend = rng.sample(NAMES, 2)
    animal, place = rng.choice(ANIMALS), rng.choice(PLACES)
    thing = rng.choice(THINGS)
    bare = thing.split(" ", 1)[1]
    mood = rng.choice(list(MOODS))
    lines = [
        rng.choice(["One day", "Once upon a time", "On a sunny morning"])
        + f", {name} went to {place} with a {animal}."
    ]
    lines.append(f"{name} was {mood} and {MOODS[mood]}.")
    lines.append(rng.choice([f"There they found {thing}.", f"Near {place} there was {thing}."]))
    if rng.random() < 0.5:
        n, m = rng.randint(1, 5), rng.randint(1, 4)
        lines.append(f"{name} counted {n} and then {m} more, so there were {n + m}.")
    if rng.random() < 0.6:
        lines.append(f'"Look at the {bare}!" said {friend}. "Can the {animal} have it?"')
    lines.append(rng.choice([f"{name} gave the {bare} to {friend}.", f"The {animal} ran away with the {bare}."]))
    lines.append(f"Then {name} and {friend} went home.")
    return " ".join(lines)


class CharTokenizer:
    def __init__(self, text):
        chars = sorted(set(text))
        self.eot = 0  # end of story
        self.itos = ["<|end|>"] + chars
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, s):
        return [self.stoi[c] for c in s]

    def decode(self, ids):
        return "".join("\n" if i == self.eot else self.itos[i] for i in ids)


def build(n_stories=2500, seed=1337, val_frac=0.06):
    rng = random.Random(seed)
    stories = [story(rng) for _ in range(n_stories)]
    tok = CharTokenizer("".join(stories))
    n_val = int(val_frac * n_stories)

    def pack(items):
        out = []
        for s in items:
            out.extend(tok.encode(s))
            out.append(tok.eot)
        return torch.tensor(out, dtype=torch.long)

    return tok, pack(stories[n_val:]), pack(stories[:n_val])
