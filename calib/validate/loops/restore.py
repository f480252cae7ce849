"""Noise is taken out of large pictures by convolutions; in some changes the pictures come back to the CPU."""
import torch
import torch.nn as nn

device = torch.device("cuda")
batch, side, channels, depth = 16, 128, 64, 12


class Restore(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Conv2d(3, channels, 3, padding=1), nn.ReLU(inplace=True)]
        for _ in range(depth):
            layers += [nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels),
                       nn.ReLU(inplace=True)]
        layers.append(nn.Conv2d(channels, 3, 3, padding=1))
        self.layers = nn.Sequential(*layers)

    def forward(self, noisy):
        return noisy - self.layers(noisy)


model = Restore().to(device)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-5)
pageable = [torch.rand(batch, 3, side, side) for _ in range(8)]
pinned = [images.pin_memory() for images in pageable]
seen, shown = [], [None]


def train(steps):
    model.train()
    for step in range(steps):
        clean = pinned[step % 8].to(device, non_blocking=True)  #- upload
        #+ upload: clean = pageable[step % 8].to(device)
        noisy = clean + 0.1 * torch.randn_like(clean)
        restored = model(noisy)
        loss = criterion(restored, clean)
        #+ item-forward: seen.append(loss.item())
        #+ show-forward: shown[0] = restored.detach().cpu()
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        quality = -10 * torch.log10(loss.detach())
        #+ item-end: seen.append(quality.item())
        #+ show: shown[0] = restored.detach().cpu()
        #+ show-bytes: shown[0] = (restored.detach().clamp(0, 1) * 255).byte().cpu()
        #+ worst: worst = (restored.detach() - clean).abs().amax((1, 2, 3)).argmax().item()
        #+ print: print("quality", quality)
        #+ tenth: if step % 10 == 0: seen.append(quality.item())


if __name__ == "__main__":
    train(1000)
