"""
The toy world. Tokens 0 = pad, 1 = eos, 2.. = "words". Humans like sequences that go up
(each word greater than the one before), use even words and do not repeat themselves.
"""
import random

import torch

PAD, EOS, FIRST = 0, 1, 2


def human_score(seq):
    seq = [t for t in seq if t >= FIRST]
    if len(seq) < 2:
        return -1.0
    ups = sum(b > a for a, b in zip(seq, seq[1:])) / (len(seq) - 1)
    even = sum(t % 2 == 0 for t in seq) / len(seq)
    rep = 1.0 - len(set(seq)) / len(seq)
    return ups + 0.5 * even - rep


def cut(seq):
    return seq[: seq.index(EOS)] if EOS in seq else seq


class World:
    def __init__(self, vocab_size, seed=0):
        self.vocab_size = vocab_size
        self.rng = random.Random(seed)

    def sample_text(self, length):
        # humans are noisy: walks that go up more often than down
        t = self.rng.randint(FIRST, self.vocab_size - 1)
        out = [t]
        for _ in range(length - 1):
            step = self.rng.choice([-3, -2, -1, 1, 2, 2, 3, 4])
            t = FIRST + (t - FIRST + step) % (self.vocab_size - FIRST)
            out.append(t)
        return out

    def sft_batch(self, batch_size, length, device):
        rows = []
        for _ in range(batch_size):
            n = self.rng.randint(length // 2, length)
            r = self.sample_text(n - 1) + [EOS]
            rows.append(r + [PAD] * (length - n))
        return torch.tensor(rows, dtype=torch.long).to(device)

    def prompts(self, batch_size, length, device):
        return torch.tensor([self.sample_text(length) for _ in range(batch_size)]).to(device)

    def preference_batch(self, batch_size, length, device):
        chosen, rejected, cl, rl = [], [], [], []
        for _ in range(batch_size):
            a, b = (self.sample_text(self.rng.randint(length // 2, length)) for _ in range(2))
            if human_score(a) < human_score(b):
                a, b = b, a
            cl.append(len(a))
            rl.append(len(b))
            chosen.append(a + [PAD] * (length - len(a)))
            rejected.append(b + [PAD] * (length - len(b)))
        to = lambda x: torch.tensor(x, dtype=torch.long, device=device)
        return to(chosen), to(cl), to(rejected), to(rl)
