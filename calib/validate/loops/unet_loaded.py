"""A small U-Net in bfloat16; the loader augments in the main process for 5 to 10 ms, which only overlap
with the GPU hides."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda")
batch, side, width = 16, 256, 64


class Pictures(Dataset):
    def __init__(self):
        random = np.random.default_rng(0)
        self.pictures = random.random((32, 3, side, side), dtype=np.float32)
        self.noise = random.standard_normal((4, 3, side, side), dtype=np.float32)

    def __len__(self):
        return 100_000

    def __getitem__(self, index):
        picture = self.pictures[index % 32]
        noisy = np.clip(picture + 0.1 * self.noise[index % 4], 0, 1)
        return noisy, (picture[0] > 0.5).astype(np.int64)


def pair(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(),
                         nn.Conv2d(outputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU())


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2, self.down3 = pair(3, width), pair(width, 2 * width), pair(2 * width, 4 * width)
        self.bottom = pair(4 * width, 8 * width)
        self.up3 = nn.ConvTranspose2d(8 * width, 4 * width, 2, 2)
        self.up2 = nn.ConvTranspose2d(4 * width, 2 * width, 2, 2)
        self.up1 = nn.ConvTranspose2d(2 * width, width, 2, 2)
        self.join3, self.join2 = pair(8 * width, 4 * width), pair(4 * width, 2 * width)
        self.join1 = pair(2 * width, width)
        self.head = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        first = self.down1(x)
        second = self.down2(F.max_pool2d(first, 2))
        third = self.down3(F.max_pool2d(second, 2))
        x = self.bottom(F.max_pool2d(third, 2))
        x = self.join3(torch.cat([self.up3(x), third], 1))
        x = self.join2(torch.cat([self.up2(x), second], 1))
        return self.head(self.join1(torch.cat([self.up1(x), first], 1)))


def endless(loader):
    while True:
        yield from loader


model = UNet().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
batches = endless(DataLoader(Pictures(), batch_size=batch, pin_memory=True))
weights = torch.ones(2, device=device)
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        pictures, masks = next(batches)
        pictures = pictures.to(device, non_blocking=True)  #- upload
        #+ upload: pictures = pictures.to(device)
        masks = masks.to(device, non_blocking=True)
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(pictures)
            loss = F.cross_entropy(out, masks, weight=weights)
        #+ item-forward: seen.append(loss.item())
        #+ mask: inside = out.detach()[:, 1][masks == 1].mean()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        right = (out.argmax(1) == masks).float().mean()
        #+ item-end: seen.append(loss.item())
        #+ print: print("loss", loss.detach())
        #+ keep: last = out.detach().argmax(1).cpu()
        #+ three: seen.append((loss.item(), right.item(), loss.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
