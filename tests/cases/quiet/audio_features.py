"""Audio features with CPU tensors: STFT, mel filters, silence trimming, statistics over a folder."""
import math
from pathlib import Path

import torch
import torchaudio
from torch.utils.data import Dataset


def hertz_to_mel(f: float) -> float:
    return 2595.0 * math.log10(1.0 + f / 700.0)


def mel_filters(bins: int, mels: int, rate: int) -> torch.Tensor:
    points = torch.linspace(hertz_to_mel(20.0), hertz_to_mel(rate / 2), mels + 2)
    frequencies = 700 * (10 ** (points / 2595) - 1)
    all_bins = torch.linspace(0, rate / 2, bins)
    filters = torch.zeros(mels, bins)
    for m in range(mels):
        low, centre, high = frequencies[m].item(), frequencies[m + 1].item(), frequencies[m + 2].item()
        up = (all_bins - low) / (centre - low)
        down = (high - all_bins) / (high - centre)
        filters[m] = torch.clamp(torch.minimum(up, down), min=0)
    return filters


def trim(wave, threshold=0.01, frame=400):
    frames = wave.unfold(-1, frame, frame).abs().amax(-1)
    loud = (frames > threshold).nonzero()
    if loud.numel() == 0:
        return wave[..., :0]
    first, last = loud[0, -1].item(), loud[-1, -1].item()
    return wave[..., first * frame : (last + 1) * frame]


def resample(wave, old, new):
    if old == new:
        return wave
    return torchaudio.functional.resample(wave, old, new)


class Clips(Dataset):
    def __init__(self, folder, rate=16_000, seconds=4.0):
        self.files = sorted(Path(folder).rglob("*.wav"))
        self.rate, self.length = rate, int(rate * seconds)
        self.window = torch.hann_window(400)
        self.filters = mel_filters(201, 80, rate)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        wave, rate = torchaudio.load(self.files[index])
        wave = trim(resample(wave.mean(0), rate, self.rate))
        if wave.abs().max() < 1e-4:
            return torch.zeros(80, self.length // 160), -1
        if len(wave) > self.length:
            start = int(torch.randint(len(wave) - self.length, ()))
            wave = wave[start : start + self.length]
        wave = torch.nn.functional.pad(wave, (0, self.length - len(wave)))
        spectrum = torch.stft(wave, 400, 160, window=self.window, return_complex=True).abs()
        features = (self.filters @ spectrum).clamp(min=1e-8).log()
        return features, self.label(index)

    def label(self, index):
        return int(self.files[index].stem.split("_")[-1])


def statistics(dataset):
    total, square, n = torch.zeros(80), torch.zeros(80), 0
    lengths = []
    for features, label in dataset:
        if label < 0:
            continue
        total += features.sum(1)
        square += features.pow(2).sum(1)
        n += features.shape[1]
        lengths.append(features.shape[1])
        if len(lengths) % 100 == 0:
            print(f"{len(lengths)} files, mean {(total / n).mean().item():.3f}, last {features.max():.2f}")
    mean = total / n
    std = (square / n - mean.pow(2)).sqrt()
    return {"mean": mean.tolist(), "std": std.tolist(), "frames": sum(lengths)}


if __name__ == "__main__":
    torch.save(statistics(Clips("clips")), "stats.pt")
