"""Segmentation by a small U-Net; in some changes the classes or the scores go to NumPy, for a confusion matrix."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

NUM_CLASSES, BATCH, SIDE = 8, 16, 256


class DoubleConv(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.double_conv = nn.Sequential(
            nn.Conv2d(in_channels, out_channels, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(out_channels, out_channels, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(inplace=True))

    def forward(self, x):
        return self.double_conv(x)


class Up(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.up = nn.ConvTranspose2d(in_channels, in_channels // 2, kernel_size=2, stride=2)
        self.conv = DoubleConv(in_channels, out_channels)

    def forward(self, x, skip):
        return self.conv(torch.cat([skip, self.up(x)], dim=1))


class UNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.inc = DoubleConv(3, 32)
        self.down1, self.down2, self.down3 = DoubleConv(32, 64), DoubleConv(64, 128), DoubleConv(128, 256)
        self.pool = nn.MaxPool2d(2)
        self.up1, self.up2, self.up3 = Up(256, 128), Up(128, 64), Up(64, 32)
        self.outc = nn.Conv2d(32, n_classes, kernel_size=1)

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down1(self.pool(x1))
        x3 = self.down2(self.pool(x2))
        x4 = self.down3(self.pool(x3))
        return self.outc(self.up3(self.up2(self.up1(x4, x3), x2), x1))


device = torch.device("cuda")
model = UNet(NUM_CLASSES).to(device)
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-6, weight_decay=1e-8, momentum=0.9)
pictures = [torch.rand(BATCH, 3, SIDE, SIDE) for _ in range(4)]
pinned = [picture.pin_memory() for picture in pictures]
masks = [torch.randint(0, NUM_CLASSES, (BATCH, SIDE, SIDE), device=device) for _ in range(4)]
confusion = np.zeros((NUM_CLASSES, NUM_CLASSES), dtype=np.int64)
losses, kept = [], [None]


def train(steps):
    model.train()
    for step in range(steps):
        images = pinned[step % 4].to(device, non_blocking=True)  #- upload
        #+ upload: images = pictures[step % 4].to(device)
        true_masks = masks[step % 4]
        scores = model(images)
        loss = F.cross_entropy(scores, true_masks)
        chances = scores.softmax(dim=1)
        wanted = F.one_hot(true_masks, NUM_CLASSES).permute(0, 3, 1, 2).float()
        overlap = (chances * wanted).sum(dim=(2, 3))
        loss = loss + 1 - (2 * overlap / (chances + wanted).sum(dim=(2, 3))).mean()
        #+ item-forward: losses.append(loss.item())
        #+ classes-forward: kept[0] = scores.argmax(dim=1).cpu()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        #+ item-backward: losses.append(loss.item())
        optimizer.step()
        classes = scores.argmax(dim=1)
        #+ item-end: losses.append(loss.item())
        #+ scores: kept[0] = scores.detach().cpu()
        #+ classes: kept[0] = classes.cpu().numpy()
        #+ bytes: kept[0] = classes.to(torch.uint8).cpu().numpy()
        pairs = (true_masks * NUM_CLASSES + classes).flatten()
        #+ confusion: confusion[:] += torch.bincount(pairs, minlength=64).view(8, 8).cpu().numpy()
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: kept[0] = classes.cpu()


if __name__ == "__main__":
    train(1000)
