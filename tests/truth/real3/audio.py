"""nnAudio and auraloss: spectrogram layers that learn, and losses of sound."""
import sys
import types

import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
np.random.seed(0)


def _librosa():
    """librosa's two filter banks, which auraloss takes from it."""
    import torchaudio

    def mel(sr, n_fft, n_mels):
        return torchaudio.functional.melscale_fbanks(n_fft // 2 + 1, 0.0, sr / 2, n_mels, sr).T.numpy()
    if "librosa" not in sys.modules:
        sys.modules["librosa"], sys.modules["librosa.filters"] = types.ModuleType("librosa"), types.ModuleType("librosa.filters")
        sys.modules["librosa"].filters = sys.modules["librosa.filters"]
        sys.modules["librosa.filters"].mel = mel
        sys.modules["librosa.filters"].chroma = lambda sr, n_fft, n_chroma: torch.rand(n_chroma, n_fft // 2 + 1)


def _sounds(count=8, length=16000, channels=None):
    time = torch.arange(length) / 16000
    pitch = torch.randint(100, 2000, (count, 1 if channels is None else channels, 1)).float()
    wave = torch.sin(2 * np.pi * pitch * time) + 0.1 * torch.randn(count, pitch.shape[1], length)
    return wave[:, 0] if channels is None else wave


def _classify(layer, epochs=2, **options):
    """The usual loop: sounds on the fly to a picture, a small net behind it."""
    layer = layer.to(device)
    bins = layer(_sounds(1).to(device), **options).shape[1]
    head = nn.Sequential(nn.Conv1d(bins, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(16, 4)).to(device)
    optimizer = torch.optim.Adam([*layer.parameters(), *head.parameters()], lr=1e-3)
    for epoch in range(epochs):
        total = right = 0.0
        for _ in range(4):
            x, y = _sounds().to(device), torch.randint(0, 4, (8,), device=device)
            picture = layer(x, **options)
            out = head(torch.log1p(picture.abs()))
            loss = nn.functional.cross_entropy(out, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            right += (out.argmax(1) == y).sum().item()
        print(type(layer).__name__, epoch, total / 4, right / 32)


def spectrum():
    from nnAudio.features import STFT
    for options in (dict(freq_scale="no"), dict(freq_scale="linear", fmin=50, fmax=6000), dict(freq_scale="log", trainable=True)):
        _classify(STFT(n_fft=512, hop_length=128, sr=16000, output_format="Magnitude", verbose=False, **options))


def spectrum_back():
    from nnAudio.features import STFT
    layer = STFT(n_fft=512, hop_length=128, sr=16000, iSTFT=True, output_format="Complex", verbose=False).to(device)
    for _ in range(3):
        x = _sounds().to(device)
        again = layer.inverse(layer(x), length=x.shape[-1])
        print((again - x).abs().max().item())


def spectrum_inverse():
    from nnAudio.features import STFT, iSTFT
    forth = STFT(n_fft=512, hop_length=128, sr=16000, output_format="Complex", verbose=False).to(device)
    back = iSTFT(n_fft=512, hop_length=128, sr=16000, verbose=False).to(device)
    for _ in range(3):
        x = _sounds().to(device)
        print(back(forth(x), onesided=True, length=x.shape[-1]).shape)


def spectrum_phase():
    from nnAudio.features import STFT
    layer = STFT(n_fft=512, hop_length=128, sr=16000, verbose=False).to(device)
    for _ in range(2):
        for kind in ("Complex", "Magnitude", "Phase"):
            print(kind, layer(_sounds().to(device), output_format=kind).shape)


def mel():
    from nnAudio.features import MelSpectrogram
    _classify(MelSpectrogram(sr=16000, n_fft=512, n_mels=32, hop_length=128, trainable_mel=True, trainable_STFT=True, verbose=False))


def cepstrum():
    from nnAudio.features import MFCC
    _classify(MFCC(sr=16000, n_mfcc=13, n_fft=512, n_mels=32, hop_length=128, verbose=False))


def gammatone():
    from nnAudio.features import Gammatonegram
    _classify(Gammatonegram(sr=16000, n_fft=512, n_bins=32, hop_length=128, verbose=False))


def constant_q():
    from nnAudio.features import CQT1992v2
    _classify(CQT1992v2(sr=16000, hop_length=256, fmin=110, n_bins=36, trainable=True, verbose=False))


def constant_q_normals():
    from nnAudio.features import CQT1992v2
    layer = CQT1992v2(sr=16000, hop_length=256, fmin=110, n_bins=36, verbose=False).to(device)
    for kind in ("Magnitude", "Complex", "Phase"):
        for normal in ("librosa", "convolutional", "wrap"):
            print(kind, normal, layer(_sounds().to(device), output_format=kind, normalization_type=normal).abs().mean().item())


def constant_q_downsampled():
    from nnAudio.features import CQT2010v2
    _classify(CQT2010v2(sr=16000, hop_length=256, fmin=110, n_bins=36, verbose=False))


def constant_q_frequency():
    from nnAudio.features import CQT1992, CQT2010
    for make in (lambda: CQT1992(sr=16000, hop_length=256, fmin=220, n_bins=24), lambda: CQT2010(sr=16000, hop_length=256, fmin=220, n_bins=24, verbose=False)):
        try:
            _classify(make())
        except Exception as error:
            print(type(error).__name__, error)


def variable_q():
    from nnAudio.features import VQT
    _classify(VQT(sr=16000, hop_length=256, fmin=110, n_bins=36, gamma=5, verbose=False))


def periodicity():
    from nnAudio.features import CFP
    layer = CFP(fs=16000, hop_length=320, window_size=1025).to(device)
    for _ in range(3):
        print(layer(_sounds(4).to(device)).shape)


def griffin():
    from nnAudio.features import Griffin_Lim, STFT
    layer = STFT(n_fft=512, hop_length=128, sr=16000, output_format="Magnitude", verbose=False).to(device)
    print(Griffin_Lim(512, n_iter=8, hop_length=128, device=str(device))(layer(_sounds(2).to(device))).shape)


def _denoise(loss, epochs=2, length=8192, channels=1, batches=3):
    net = nn.Sequential(nn.Conv1d(channels, 8, 15, padding=7), nn.Tanh(), nn.Conv1d(8, channels, 15, padding=7)).to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    loss = loss.to(device)
    for epoch in range(epochs):
        total = 0.0
        for _ in range(batches):
            clean = _sounds(4, length, channels).to(device)
            found = loss(net(clean + 0.1 * torch.randn_like(clean)), clean)
            found = found[0] if isinstance(found, tuple) else found
            optimizer.zero_grad()
            found.backward()
            optimizer.step()
            total += found.item()
        print(type(loss).__name__, epoch, total / batches)


def time_losses():
    import auraloss.time as t
    for name in ("ESRLoss", "DCLoss", "LogCoshLoss", "SNRLoss", "SISDRLoss", "SDSDRLoss"):
        _denoise(getattr(t, name)())


def spectral_losses():
    import auraloss.freq as f
    for options in (dict(), dict(w_lin_mag=1.0, w_phs=0.1, output="full"), dict(scale_invariance=True, mag_distance="L2"), dict(perceptual_weighting=True, sample_rate=16000)):
        _denoise(f.STFTLoss(512, 128, 512, **options))


def resolutions():
    import auraloss.freq as f
    for options in (dict(), dict(perceptual_weighting=True, sample_rate=16000), dict(w_phs=0.1, w_lin_mag=0.5, output="full")):
        _denoise(f.MultiResolutionSTFTLoss([256, 512, 1024], [64, 128, 256], [256, 512, 1024], **options))


def random_resolutions():
    import auraloss.freq as f
    loss = f.RandomResolutionSTFTLoss(resolutions=3, min_fft_size=64, max_fft_size=2048, windows=["hann_window", "hamming_window", "blackman_window"])
    _denoise(loss, 3)


def stereo():
    import auraloss.freq as f
    for output in ("loss", "full"):
        _denoise(f.SumAndDifferenceSTFTLoss([256, 512], [64, 128], [256, 512], output=output), channels=2)


def mel_losses():
    _librosa()
    import auraloss.freq as f
    _denoise(f.MelSTFTLoss(16000, 512, 128, 512, n_mels=32))
    _denoise(f.MultiResolutionSTFTLoss([256, 512], [64, 128], [256, 512], scale="mel", n_bins=32, sample_rate=16000))


def filters():
    import auraloss.perceptual as p
    for kind in ("hp", "fd", "aw"):
        layer = p.FIRFilter(filter_type=kind, fs=16000).to(device)
        for _ in range(2):
            a, b = layer(_sounds(2, 8192, 1).to(device), _sounds(2, 8192, 1).to(device))
            print(kind, (a - b).abs().mean().item())
