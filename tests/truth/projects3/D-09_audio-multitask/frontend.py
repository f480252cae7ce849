from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def mel_filterbank(n_mels: int, n_fft: int, sr: int, fmin: float = 30.0) -> Tensor:
    def to_mel(f: float) -> float:
        return 2595 * math.log10(1 + f / 700)

    mel = torch.linspace(to_mel(fmin), to_mel(sr / 2), n_mels + 2)
    hz = 700 * (10 ** (mel / 2595) - 1)
    freqs = torch.linspace(0, sr / 2, n_fft // 2 + 1)
    lo, mid, hi = hz[:-2, None], hz[1:-1, None], hz[2:, None]
    up, down = (freqs - lo) / (mid - lo), (hi - freqs) / (hi - mid)
    return torch.minimum(up, down).clamp(min=0)  # (n_mels, n_freq)


class LogMel(nn.Module):
    def __init__(self, sr: int = 8000, n_fft: int = 256, hop: int = 80, n_mels: int = 48) -> None:
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.register_buffer("window", torch.hann_window(n_fft), persistent=False)
        self.register_buffer("fb", mel_filterbank(n_mels, n_fft, sr), persistent=False)

    @torch.no_grad()
    def forward(self, wav: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        spec = torch.stft(wav.float(), self.n_fft, self.hop, window=self.window, return_complex=True)
        mel = (self.fb @ spec.abs().square() + 1e-5).log().transpose(1, 2)  # B T M
        n = lengths // self.hop + 1
        valid = torch.arange(mel.size(1), device=mel.device) < n[:, None]
        m = valid.unsqueeze(-1).float()
        count = m.sum(dim=1, keepdim=True) * mel.size(2)
        mean = (mel * m).sum(dim=(1, 2), keepdim=True) / count
        var = ((mel - mean).square() * m).sum(dim=(1, 2), keepdim=True) / count
        return (mel - mean) / (var + 1e-5).sqrt() * m, n


class SpecAugment(nn.Module):
    """Independent time and frequency masks for each clip, without python loops over the batch."""

    def __init__(self, n_time: int = 2, max_time: int = 12, n_freq: int = 2, max_freq: int = 6) -> None:
        super().__init__()
        self.n_time, self.max_time, self.n_freq, self.max_freq = n_time, max_time, n_freq, max_freq

    @staticmethod
    def _mask(size: Tensor, axis_len: int, n: int, max_width: int) -> Tensor:
        b, dev = len(size), size.device
        width = torch.rand(b, n, device=dev) * max_width
        start = torch.rand(b, n, device=dev) * (size[:, None] - width).clamp(min=1)
        pos = torch.arange(axis_len, device=dev)
        hit = (pos >= start[..., None]) & (pos < (start + width)[..., None])
        return hit.any(dim=1)

    def forward(self, mel: Tensor, lengths: Tensor) -> Tensor:
        if not self.training:
            return mel
        t = self._mask(lengths, mel.size(1), self.n_time, self.max_time)
        f = self._mask(torch.full_like(lengths, mel.size(2)), mel.size(2), self.n_freq, self.max_freq)
        return mel.masked_fill(t[:, :, None] | f[:, None, :], 0.0)
