"""A convolutional autoencoder, four micro-batches a step: some of the changes run four times."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
batch, micro = 32, 4
encoder = nn.Sequential(
    nn.Conv2d(3, 64, 4, 2, 1), nn.ReLU(),
    nn.Conv2d(64, 128, 4, 2, 1), nn.BatchNorm2d(128), nn.ReLU(),
    nn.Conv2d(128, 256, 4, 2, 1), nn.BatchNorm2d(256), nn.ReLU(),
).to(device)
decoder = nn.Sequential(
    nn.ConvTranspose2d(256, 128, 4, 2, 1), nn.BatchNorm2d(128), nn.ReLU(),
    nn.ConvTranspose2d(128, 64, 4, 2, 1), nn.ReLU(),
    nn.ConvTranspose2d(64, 3, 4, 2, 1),
).to(device)
parameters = list(encoder.parameters()) + list(decoder.parameters())
optimizer = torch.optim.AdamW(parameters, lr=1e-5)
pinned = [torch.rand(batch, 3, 64, 64).pin_memory() for _ in range(8)]
pageable = [torch.rand(batch, 3, 64, 64) for _ in range(8)]
features = torch.randn(2048, 1024, device=device)
seen = []


def train(steps):
    for step in range(steps):
        optimizer.zero_grad()
        for i in range(micro):
            images = pinned[(step + i) % 8].to(device, non_blocking=True)  #- upload
            #+ upload: images = pageable[(step + i) % 8].to(device)
            out = decoder(encoder(images))
            loss = F.mse_loss(out, images) / micro
            #+ item-forward: seen.append(loss.item())
            #+ mask: bright = out.detach()[images > 0.9].mean()
            loss.backward()
            #+ item-backward: seen.append(loss.item())
        #+ copy: kept = features.cpu()
        optimizer.step()
        #+ item-end: seen.append(loss.item())
        #+ print: print("loss", loss.detach())
        #+ three: seen.append((loss.item(), out.mean().item(), loss.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
