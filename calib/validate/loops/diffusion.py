"""A denoiser of small pictures in bfloat16 with a moving average of its weights; four workers load."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda")
batch, side, width, levels = 64, 64, 128, 1000


class Pictures(Dataset):
    def __len__(self):
        return 200_000

    def __getitem__(self, index):
        return torch.rand(3, side, side) * 2 - 1


class Stage(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.first, self.second = nn.Conv2d(inputs, outputs, 3, padding=1), nn.Conv2d(outputs, outputs, 3, padding=1)
        self.norm1, self.norm2 = nn.GroupNorm(8, inputs), nn.GroupNorm(8, outputs)
        self.time = nn.Linear(width, outputs)
        self.skip = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x, time):
        h = self.first(F.silu(self.norm1(x))) + self.time(time)[:, :, None, None]
        return self.skip(x) + self.second(F.silu(self.norm2(h)))


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter, self.leave = nn.Conv2d(3, width, 3, padding=1), nn.Conv2d(width, 3, 3, padding=1)
        self.times = nn.Embedding(levels, width)
        self.down = nn.ModuleList([Stage(width, width), Stage(width, 2 * width)])
        self.middle = Stage(2 * width, 2 * width)
        self.up = nn.ModuleList([Stage(4 * width, width), Stage(2 * width, width)])

    def forward(self, x, t):
        time = self.times(t)
        x = self.enter(x)
        kept = []
        for stage in self.down:
            x = stage(x, time)
            kept.append(x)
            x = F.avg_pool2d(x, 2)
        x = self.middle(x, time)
        for stage in self.up:
            x = F.interpolate(x, scale_factor=2)
            x = stage(torch.cat([x, kept.pop()], 1), time)
        return self.leave(x)


def endless(loader):
    while True:
        yield from loader


model, average = Denoiser().to(device), Denoiser().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
shares = torch.cumprod(1 - torch.linspace(1e-4, 0.02, levels, device=device), 0)
batches = endless(DataLoader(Pictures(), batch_size=batch, num_workers=4, pin_memory=True, persistent_workers=True))
seen = []


@torch.no_grad()
def follow():
    for mean, value in zip(average.parameters(), model.parameters()):
        mean.lerp_(value, 0.001)


def train(steps):
    for step in range(steps):
        pictures = next(batches)
        pictures = pictures.to(device, non_blocking=True)  #- upload
        #+ upload: pictures = pictures.to(device)
        t = torch.randint(0, levels, (batch,), device=device)
        noise = torch.randn_like(pictures)
        share = shares[t][:, None, None, None]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            guess = model(share.sqrt() * pictures + (1 - share).sqrt() * noise, t)
            each = F.mse_loss(guess.float(), noise, reduction="none").mean((1, 2, 3))
        loss = each.mean()
        #+ item-forward: seen.append(loss.item())
        #+ mask: early = each.detach()[t < 100].mean()
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        #+ item-backward: seen.append(norm.item())
        optimizer.step()
        follow()
        #+ item-end: seen.append(loss.item())
        #+ print: print(f"loss {loss.detach()}")
        #+ levels: seen.append((t.tolist(), each.tolist()))
        #+ keep: last = guess.detach().cpu()
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
