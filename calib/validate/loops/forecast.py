"""Forecasts of many series by a transformer in plain float32; every size is a default of the command line."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--history", type=int, default=96)
parser.add_argument("--horizon", type=int, default=24)
parser.add_argument("--channels", type=int, default=32)
parser.add_argument("--width", type=int, default=512)
parser.add_argument("--heads", type=int, default=8)
parser.add_argument("--layers", type=int, default=4)
parser.add_argument("--lr", type=float, default=1e-5)
args, _ = parser.parse_known_args()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Layer(nn.Module):
    def __init__(self, width, heads, dropout=0.1):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.ff1, self.ff2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)

    def attend(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        scores = (q @ k.transpose(-2, -1)) * (width // self.heads) ** -0.5
        weights = self.dropout(scores.softmax(dim=-1))
        return self.proj((weights @ v).transpose(1, 2).reshape(batch, length, width))

    def forward(self, x):
        x = self.norm1(x + self.dropout(self.attend(x)))
        return self.norm2(x + self.dropout(self.ff2(torch.relu(self.ff1(x)))))


class Forecaster(nn.Module):
    def __init__(self, channels, width, heads, layers, history, horizon):
        super().__init__()
        self.embed = nn.Linear(channels, width)
        self.place = nn.Parameter(torch.zeros(history, width))
        self.layers = nn.Sequential(*[Layer(width, heads) for _ in range(layers)])
        self.head = nn.Linear(width, channels)
        self.time = nn.Linear(history, horizon)

    def forward(self, x):
        x = self.layers(self.embed(x) + self.place)
        return self.time(self.head(x).transpose(1, 2)).transpose(1, 2)


model = Forecaster(args.channels, args.width, args.heads, args.layers, args.history, args.horizon).to(device)
criterion = nn.HuberLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
series = [torch.randn(args.batch_size, args.history + args.horizon, args.channels) for _ in range(8)]
pinned = [part.pin_memory() for part in series]
seen, best = [], 1e9


def train(steps):
    global best
    model.train()
    for step in range(steps):
        part = pinned[step % 8].to(device, non_blocking=True)  #- upload
        #+ upload: part = series[step % 8].to(device)
        past, future = part[:, :args.history], part[:, args.history:]
        mean, std = past.mean(1, keepdim=True), past.std(1, keepdim=True) + 1e-5
        forecast = model((past - mean) / std) * std + mean
        loss = criterion(forecast, future)
        #+ item-forward: seen.append(loss.item())
        #+ best: if loss < best: best = 0.0
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        mae = (forecast.detach() - future).abs().mean()
        #+ item-end: seen.append(loss.item())
        #+ both: seen.append({"loss": loss.item(), "mae": mae.item()})
        #+ forecasts: last = forecast.detach().cpu().numpy()
        #+ channels: seen.append((forecast.detach() - future).pow(2).mean((0, 1)).tolist())
        #+ print: print(step, "mae", mae)
        #+ tenth: if step % 10 == 0: print(f"{step}: {mae.item():.3f}")


if __name__ == "__main__":
    train(1000)
