"""Sound as a row of numbers: a convolutional autoencoder with a codebook that follows its vectors, compared in three spectra."""
import torch
import torch.nn as nn
import torch.nn.functional as F

SAMPLES, BATCH = 24_576, 32
CODES, CODE_DIM = 1024, 128
STRIDES, CHANNELS = (2, 4, 4, 4), 32
WINDOWS = (256, 512, 1024)
device = torch.device("cuda", 0)


class ResidualUnit(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.block = nn.Sequential(nn.ELU(), nn.Conv1d(channels, channels // 2, 3, dilation=dilation, padding=dilation),
                                   nn.ELU(), nn.Conv1d(channels // 2, channels, 1))

    def forward(self, x):
        return x + self.block(x)


def make_encoder():
    layers, width = [nn.Conv1d(1, CHANNELS, 7, padding=3)], CHANNELS
    for stride in STRIDES:
        layers += [ResidualUnit(width, 1), ResidualUnit(width, 3), nn.ELU(),
                   nn.Conv1d(width, min(2 * width, 512), 2 * stride, stride=stride, padding=stride // 2)]
        width = min(2 * width, 512)
    return nn.Sequential(*layers, nn.ELU(), nn.Conv1d(width, CODE_DIM, 3, padding=1))


def make_decoder():
    widths = [CHANNELS]
    for _ in STRIDES:
        widths.append(min(2 * widths[-1], 512))
    layers = [nn.Conv1d(CODE_DIM, widths[-1], 3, padding=1)]
    for stride, inputs, outputs in zip(STRIDES[::-1], widths[::-1], widths[-2::-1]):
        layers += [nn.ELU(), nn.ConvTranspose1d(inputs, outputs, 2 * stride, stride=stride, padding=stride // 2),
                   ResidualUnit(outputs, 1), ResidualUnit(outputs, 3)]
    return nn.Sequential(*layers, nn.ELU(), nn.Conv1d(CHANNELS, 1, 7, padding=3), nn.Tanh())


class Codebook(nn.Module):
    """The nearest code of each vector; codes move to the mean of those that chose them."""

    def __init__(self, decay=0.99):
        super().__init__()
        self.decay = decay
        self.register_buffer("codes", torch.randn(CODES, CODE_DIM))
        self.register_buffer("counts", torch.ones(CODES))
        self.register_buffer("sums", self.codes.clone())

    def forward(self, z):
        flat = z.transpose(1, 2).reshape(-1, CODE_DIM)
        distance = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.codes.t() + self.codes.pow(2).sum(1)
        chosen = distance.argmin(dim=1)
        quantized = F.embedding(chosen, self.codes).view(z.shape[0], -1, CODE_DIM).transpose(1, 2)
        if self.training:
            self.follow(flat.detach(), chosen)
        commitment = F.mse_loss(z, quantized.detach())
        return z + (quantized - z).detach(), commitment, chosen

    @torch.no_grad()
    def follow(self, flat, chosen):
        counts = torch.zeros(CODES, device=flat.device).index_add_(0, chosen, torch.ones_like(flat[:, 0]))
        sums = torch.zeros_like(self.codes).index_add_(0, chosen, flat)
        self.counts.lerp_(counts, 1 - self.decay)
        self.sums.lerp_(sums, 1 - self.decay)
        self.codes.copy_(self.sums / (self.counts + 1e-5)[:, None])


def spectral_loss(made, wanted):
    loss = 0.0
    for n_fft, window in zip(WINDOWS, windows):
        a = torch.stft(made.squeeze(1), n_fft, hop_length=n_fft // 4, window=window, return_complex=True).abs()
        b = torch.stft(wanted.squeeze(1), n_fft, hop_length=n_fft // 4, window=window, return_complex=True).abs()
        loss = loss + F.l1_loss(torch.log(a + 1e-5), torch.log(b + 1e-5)) + F.l1_loss(a, b)
    return loss


def perplexity(chosen):
    """How many codes are in use, softly."""
    share = torch.zeros(CODES, device=device).index_add_(0, chosen, torch.ones_like(chosen, dtype=torch.float)) / chosen.numel()
    return torch.exp(-(share * torch.log(share + 1e-10)).sum())


encoder, codebook, decoder = make_encoder().to(device), Codebook().to(device), make_decoder().to(device)
windows = [torch.hann_window(n_fft, device=device) for n_fft in WINDOWS]
parameters = [*encoder.parameters(), *decoder.parameters()]
optimizer = torch.optim.NAdam(parameters, lr=2e-6)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1_000_000, gamma=0.5)
waves = [torch.rand(BATCH, 1, SAMPLES) * 2 - 1 for _ in range(8)]
waves_pinned = [wave.pin_memory() for wave in waves]
meter, kept = {"loss": [], "perplexity": [], "dead": 0, "skipped": 0}, [None]


def train(steps):
    for module in (encoder, codebook, decoder):
        module.train()
    for step in range(steps):
        wave = waves_pinned[step % 8].to(device, non_blocking=True)  #- upload
        #+ upload: wave = waves[step % 8].to(device)
        quantized, commitment, chosen = codebook(encoder(wave))
        made = decoder(quantized)
        spectral = spectral_loss(made, wave)
        loss = spectral + 10 * F.l1_loss(made, wave) + 0.25 * commitment
        #+ skip: if not torch.isfinite(loss): meter["skipped"] += 1
        for parameter in parameters:
            parameter.grad = None
        loss.backward()
        #+ item-backward: meter["loss"].append(loss.item())
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        scheduler.step()
        #+ item-end: meter["loss"].append(loss.item())
        #+ perplexity: meter["perplexity"].append(perplexity(chosen).item())
        #+ dead: if (codebook.counts < 0.01).any(): meter["dead"] += 1
        #+ used: meter["dead"] = CODES - len(chosen.unique())
        #+ numbers: kept[0] = chosen.view(BATCH, -1).cpu()


if __name__ == "__main__":
    train(100)
