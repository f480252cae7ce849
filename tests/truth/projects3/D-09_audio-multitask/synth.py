"""Synthetic clips: a "spoken" sequence of formant-like units over background sound events.

Each clip carries two kinds of labels
  * tags:  which background events are present (multi-hot)
  * units: the sequence of units, unaligned (for CTC)
"""
from __future__ import annotations

import numpy as np
import torch
from torch.utils.data import Dataset

SR = 8000
TAGS = ["hum", "noise", "beep", "chirp", "clicks", "wobble"]
N_UNITS = 12  # 0 is the CTC blank, units are 1..N_UNITS


def _formants(unit: int) -> tuple[float, float]:
    return 250 + 110 * (unit % 4) + 20 * unit, 1000 + 210 * (unit // 3) + 130 * (unit % 3)


class ClipDataset(Dataset):
    def __init__(self, n: int, seconds: float = 1.6, max_units: int = 7, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.max_len = int(seconds * SR)
        self.max_units = max_units
        self.items = [self._clip() for _ in range(n)]

    def _unit(self, unit: int, pitch: float) -> np.ndarray:
        rng = self.rng
        n = int(rng.uniform(0.10, 0.18) * SR)
        t = np.arange(n) / SR
        f1, f2 = (f * rng.uniform(0.97, 1.03) for f in _formants(unit))
        voice = 1 + 0.5 * np.sin(2 * np.pi * pitch * t)
        x = np.sin(2 * np.pi * f1 * t) + 0.6 * np.sin(2 * np.pi * f2 * t)
        return voice * x * np.hanning(n)

    def _event(self, tag: str, n: int) -> np.ndarray:
        rng, t = self.rng, np.arange(n) / SR
        if tag == "hum":
            return sum(np.sin(2 * np.pi * 60 * k * t + rng.uniform(0, 6)) / k for k in (1, 2, 3))
        if tag == "noise":
            return np.convolve(rng.normal(size=n), np.ones(3) / 3, "same")
        if tag == "beep":
            return np.sin(2 * np.pi * 3100 * t) * (np.sin(2 * np.pi * 3 * t + rng.uniform(0, 6)) > 0.3)
        if tag == "chirp":
            return np.sin(2 * np.pi * (1800 + 700 * t) * t) * (np.sin(2 * np.pi * 2 * t) > 0)
        if tag == "clicks":
            x = np.zeros(n)
            x[rng.integers(0, n, 25)] = 6.0
            return x
        return np.sin(2 * np.pi * 2400 * t + 30 * np.sin(2 * np.pi * 5 * t))

    def _clip(self):
        rng = self.rng
        units = rng.integers(1, N_UNITS + 1, int(rng.integers(3, self.max_units + 1)))
        pitch = rng.uniform(90, 220)
        parts = [np.zeros(int(rng.uniform(0.02, 0.1) * SR))]
        for u in units:
            parts += [self._unit(int(u), pitch), np.zeros(int(rng.uniform(0.01, 0.05) * SR))]
        wav = np.concatenate(parts)[: self.max_len]
        tags = (rng.random(len(TAGS)) < 0.3).astype(np.float32)
        for name, on in zip(TAGS, tags):
            if on:
                wav = wav + rng.uniform(0.15, 0.5) * self._event(name, len(wav))
        wav = wav + 0.02 * rng.normal(size=len(wav))
        wav = wav / (np.abs(wav).max() + 1e-6)
        return (
            torch.from_numpy(wav.astype(np.float32)),
            torch.from_numpy(tags),
            torch.from_numpy(units.astype(np.int64)),
        )

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: int):
        return self.items[i]


def pad_collate(batch):
    wavs, tags, units = zip(*batch)
    return {
        "wav": torch.nn.utils.rnn.pad_sequence(wavs, batch_first=True),
        "wav_len": torch.tensor([len(w) for w in wavs]),
        "tags": torch.stack(tags),
        "units": torch.nn.utils.rnn.pad_sequence(units, batch_first=True),
        "unit_len": torch.tensor([len(u) for u in units]),
    }
