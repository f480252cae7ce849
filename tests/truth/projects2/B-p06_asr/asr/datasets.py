import math
import random

import torch
import torch.nn as nn
import torchaudio
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

CHARS = ["<blank>", " "] + [chr(ord("a") + i) for i in range(26)] + ["'"]
WORDS = ("zero one two three four five six seven eight nine yes no go stop left right up down on off "
         "open close door light red green").split()


class CharTokenizer:
    def __init__(self):
        self.c2i = {c: i for i, c in enumerate(CHARS)}
        self.blank = 0

    def __len__(self):
        return len(CHARS)

    def encode(self, text):
        return [self.c2i[c] for c in text]

    def decode(self, ids):
        return "".join(CHARS[i] for i in ids if i != self.blank)


class ToneSpeech(Dataset):
    """Each letter is a pair of tones, a word gap is noise. Enough to learn an alignment."""

    def __init__(self, n, seed, sample_rate=16000, max_words=4):
        self.n, self.seed, self.sr, self.max_words = n, seed, sample_rate, max_words
        self.tokenizer = CharTokenizer()

    def __len__(self):
        return self.n

    def _synth(self, text, rng, gen):
        parts = []
        speed = rng.uniform(0.9, 1.2)
        pitch = rng.uniform(0.97, 1.03)
        for c in text:
            dur = int(self.sr * rng.uniform(0.07, 0.11) / speed)
            t = torch.arange(dur) / self.sr
            if c == " ":
                x = 0.02 * torch.randn(dur, generator=gen)
            else:
                k = ord(c) - ord("a")
                f1, f2 = 250 + 90 * (k % 9), 1500 + 450 * (k // 3)
                x = 0.4 * torch.sin(2 * math.pi * f1 * pitch * t) + 0.3 * torch.sin(2 * math.pi * f2 * pitch * t)
                x = x * torch.hann_window(dur)
            parts.append(x)
        wav = torch.cat(parts)
        return wav + 0.01 * torch.randn(wav.shape, generator=gen)

    def __getitem__(self, i):
        rng = random.Random(self.seed * 1000003 + i)
        gen = torch.Generator().manual_seed(self.seed * 1000003 + i)
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, self.max_words)))
        return self._synth(text, rng, gen), self.tokenizer.encode(text), text


class Collate:
    def __init__(self, train, sample_rate=16000, n_mels=64):
        self.mel = torchaudio.transforms.MelSpectrogram(sample_rate, n_fft=400, hop_length=160, n_mels=n_mels)
        self.aug = nn.Sequential(torchaudio.transforms.FrequencyMasking(8),
                                 torchaudio.transforms.TimeMasking(8)) if train else None

    def __call__(self, batch):
        feats, targets, texts = [], [], []
        for wav, ids, text in batch:
            x = torch.log(self.mel(wav) + 1e-6)
            x = (x - x.mean()) / (x.std() + 1e-5)
            if self.aug is not None:
                x = self.aug(x.unsqueeze(0)).squeeze(0)
            feats.append(x.t())
            targets.append(torch.tensor(ids, dtype=torch.long))
            texts.append(text)
        flen = torch.tensor([f.size(0) for f in feats])
        tlen = torch.tensor([len(t) for t in targets])
        return pad_sequence(feats, batch_first=True), flen, pad_sequence(targets, batch_first=True), tlen, texts
