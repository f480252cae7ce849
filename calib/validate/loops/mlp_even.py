"""An MLP whose GPU time is near its host time."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
batch, width, classes = 2048, 1024, 10
model = nn.Sequential(
    nn.Linear(width, width), nn.ReLU(),
    nn.Linear(width, width), nn.ReLU(),
    nn.Linear(width, width), nn.ReLU(),
    nn.Linear(width, width), nn.ReLU(),
    nn.Linear(width, width), nn.ReLU(),
    nn.Linear(width, width), nn.ReLU(),
    nn.Linear(width, width), nn.ReLU(),
    nn.Linear(width, classes),
).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-5)
pinned = [(torch.randn(batch, width).pin_memory(), torch.randint(0, classes, (batch,)).pin_memory()) for _ in range(8)]
pageable = [torch.randn(batch, width) for _ in range(8)]
features = torch.randn(2048, 1024, device=device)
seen = []


def train(steps):
    for step in range(steps):
        x, y = pinned[step % 8]
        x = x.to(device, non_blocking=True)  #- upload
        #+ upload: x = pageable[step % 8].to(device)
        y = y.to(device, non_blocking=True)
        optimizer.zero_grad()
        out = model(x)
        loss = F.cross_entropy(out, y)
        #+ item-forward: seen.append(loss.item())
        #+ mask: positive = out.detach()[y == 0].mean()
        #+ copy: kept = features.cpu()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        accuracy = (out.argmax(1) == y).float().mean()
        #+ item-end: seen.append(loss.item())
        #+ print: print("loss", loss.detach())
        #+ three: seen.append((loss.item(), accuracy.item(), loss.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
