"""Phonemes of speech, a class a frame: convolutions over a spectrogram, then nn.TransformerEncoder, in bfloat16."""
import torch
import torch.nn as nn
import torch.nn.functional as F

n_mels, frames, batch_size = 80, 1600, 48
d_model, n_layers, n_heads, n_classes = 768, 8, 12, 62
device = torch.device("cuda")


class SpeechEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.subsample = nn.Sequential(
            nn.Conv1d(n_mels, d_model, kernel_size=3, stride=2, padding=1), nn.GELU(),
            nn.Conv1d(d_model, d_model, kernel_size=3, stride=2, padding=1), nn.GELU())
        self.position = nn.Parameter(torch.zeros(1, frames // 4, d_model))
        layer = nn.TransformerEncoderLayer(d_model, n_heads, dim_feedforward=3072, dropout=0.1, activation="gelu",
                                           batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=n_layers, norm=nn.LayerNorm(d_model), enable_nested_tensor=False)
        self.classify = nn.Linear(d_model, n_classes)

    def forward(self, mels):
        x = self.subsample(mels).transpose(1, 2)
        return self.classify(self.encoder(x + self.position))


def spec_augment(mels):
    """One band of frequencies and one stretch of time are silenced, the same for the batch."""
    band = int(torch.randint(0, n_mels - 10, (1,)))
    start = int(torch.randint(0, frames - 100, (1,)))
    mels[:, band:band + 10] = 0
    mels[:, :, start:start + 100] = 0
    return mels


model = SpeechEncoder().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, betas=(0.9, 0.98), weight_decay=1e-2)
spectrograms = [torch.randn(batch_size, n_mels, frames) for _ in range(6)]
pinned = [mels.pin_memory() for mels in spectrograms]
alignments = [torch.randint(0, n_classes, (batch_size, frames // 4), device=device) for _ in range(6)]
running_loss = torch.zeros((), device=device)
log = []


def train(steps):
    model.train()
    for step in range(steps):
        mels = pinned[step % 6].to(device, non_blocking=True)  #- upload
        #+ upload: mels = spectrograms[step % 6].to(device)
        target = alignments[step % 6]
        mels = spec_augment(mels)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(mels)
            loss = F.cross_entropy(logits.reshape(-1, n_classes), target.reshape(-1))
        #+ item-forward: log.append(loss.item())
        #+ speech: loss = loss + 0 * F.cross_entropy(logits[target > 0], target[target > 0])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        #+ item-backward: log.append(loss.item())
        optimizer.step()
        running_loss.mul_(0.98).add_(loss.detach(), alpha=0.02)
        #+ item-end: log.append(running_loss.item())
        #+ error-rate: log.append(1 - (logits.argmax(-1) == target).float().mean().item())
        #+ decoded: decoded = logits.argmax(-1).cpu().numpy()
        #+ bars: print(f"\r{step}: {running_loss.item():.3f}", end="")
        #+ print: print("running loss", running_loss)
        #+ tenth: if step % 10 == 0: log.append(running_loss.item())


if __name__ == "__main__":
    train(1000)
