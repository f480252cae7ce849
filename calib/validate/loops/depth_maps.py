"""Depth from one picture: an encoder of torchvision, a decoder with skips; depths and errors go to NumPy in some changes."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision

BATCH, HEIGHT, WIDTH, MAX_DEPTH = 20, 240, 320, 10.0
device = torch.device("cuda:0")


class UpBlock(nn.Module):
    def __init__(self, inputs, skip, outputs):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs + skip, outputs, 3, padding=1)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.bn1, self.bn2 = nn.BatchNorm2d(outputs), nn.BatchNorm2d(outputs)

    def forward(self, x, skip):
        x = F.interpolate(x, size=skip.shape[2:], mode="bilinear", align_corners=False)
        x = F.leaky_relu(self.bn1(self.conv1(torch.cat([x, skip], dim=1))), 0.2)
        return F.leaky_relu(self.bn2(self.conv2(x)), 0.2)


class DepthNet(nn.Module):
    def __init__(self):
        super().__init__()
        resnet = torchvision.models.resnet50(weights=None)
        self.stem = nn.Sequential(resnet.conv1, resnet.bn1, resnet.relu)
        self.pool = resnet.maxpool
        self.layer1, self.layer2, self.layer3, self.layer4 = resnet.layer1, resnet.layer2, resnet.layer3, resnet.layer4
        self.reduce = nn.Conv2d(2048, 512, 1)
        self.up4 = UpBlock(512, 1024, 256)
        self.up3 = UpBlock(256, 512, 128)
        self.up2 = UpBlock(128, 256, 64)
        self.up1 = UpBlock(64, 64, 64)
        self.predict = nn.Conv2d(64, 1, 3, padding=1)

    def forward(self, x):
        s1 = self.stem(x)
        s2 = self.layer1(self.pool(s1))
        s3 = self.layer2(s2)
        s4 = self.layer3(s3)
        x = self.reduce(self.layer4(s4))
        x = self.up1(self.up2(self.up3(self.up4(x, s4), s3), s2), s1)
        return MAX_DEPTH * torch.sigmoid(self.predict(x))


def silog(predicted, wanted):
    d = torch.log(predicted.clamp(min=1e-3)) - torch.log(wanted)
    return torch.sqrt((d ** 2).mean() - 0.85 * d.mean() ** 2 + 1e-6) * 10.0


def metrics(predicted, wanted):
    threshold = np.maximum(wanted / predicted, predicted / wanted)
    return (threshold < 1.25).mean(), np.abs(wanted - predicted).mean()


model = DepthNet().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, weight_decay=0.01)
rgb = [torch.rand(BATCH, 3, HEIGHT, WIDTH) for _ in range(6)]
rgb_pinned = [images.pin_memory() for images in rgb]
depth = [torch.rand(BATCH, 1, HEIGHT // 2, WIDTH // 2, device=device) * 9 + 0.5 for _ in range(6)]
depth_np = [d.cpu().numpy() for d in depth]
records, shown = [], {}


def train(steps):
    model.train()
    for step in range(steps):
        images = rgb_pinned[step % 6].to(device, non_blocking=True)  #- upload
        #+ upload: images = rgb[step % 6].to(device)
        wanted = depth[step % 6]
        predicted = model(images)
        loss = silog(predicted, wanted)
        #+ item-forward: records.append(loss.item())
        #+ valid: loss = silog(predicted[wanted < 9.0], wanted[wanted < 9.0])
        #+ depth-forward: shown["depth"] = predicted.detach().cpu().numpy()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        #+ item-backward: records.append(loss.item())
        optimizer.step()
        #+ item-end: records.append(loss.item())
        #+ depth-end: shown["depth"] = predicted.detach().cpu().numpy()
        #+ metrics: records.append(metrics(predicted.detach().cpu().numpy(), depth_np[step % 6]))
        #+ first: shown["first"] = (predicted[0, 0].detach() / MAX_DEPTH * 255).byte().cpu().numpy()
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: shown["depth"] = predicted.detach().cpu().numpy()


if __name__ == "__main__":
    train(1000)
