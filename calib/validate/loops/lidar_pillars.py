"""Cars in clouds of points: pillars on a grid seen from above, a heat map of centers; how many peaks there are only the GPU knows."""
import torch
import torch.nn as nn
import torch.nn.functional as F

cfg = {"batch": 4, "points": 60_000, "grid": 320, "range": 51.2, "pillar_dim": 64, "classes": 3, "objects": 40, "lr": 1e-5}
device = torch.device("cuda")


def block(inputs, outputs, layers, stride):
    parts = [nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False), nn.BatchNorm2d(outputs, eps=1e-3), nn.ReLU(inplace=True)]
    for _ in range(layers):
        parts += [nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs, eps=1e-3), nn.ReLU(inplace=True)]
    return nn.Sequential(*parts)


class PillarEncoder(nn.Module):
    """The strongest feature of all points in a pillar; points outside of the grid count for nothing."""

    def __init__(self, grid=320, reach=51.2, dim=64):
        super().__init__()
        self.grid, self.reach, self.dim = grid, reach, dim
        self.linear = nn.Linear(6, dim, bias=False)
        self.norm = nn.BatchNorm1d(dim, eps=1e-3)

    def forward(self, points):
        batch, count, _ = points.shape
        size = 2 * self.reach / self.grid
        cell = ((points[..., :2] + self.reach) / size).floor().long()
        inside = ((cell >= 0) & (cell < self.grid)).all(dim=-1)
        offset = points[..., :2] - ((cell + 0.5) * size - self.reach)
        features = torch.cat([points, offset], dim=-1).reshape(-1, 6)
        features = F.relu(self.norm(self.linear(features))) * inside.reshape(-1, 1)
        sample = torch.arange(batch, device=points.device)[:, None]
        cell = cell.clamp(0, self.grid - 1)
        index = ((sample * self.grid + cell[..., 1]) * self.grid + cell[..., 0]).reshape(-1)
        canvas = features.new_zeros(batch * self.grid ** 2, self.dim)
        canvas = canvas.scatter_reduce(0, index[:, None].expand(-1, self.dim), features, reduce="amax")
        return canvas.view(batch, self.grid, self.grid, self.dim).permute(0, 3, 1, 2), index


class PointPillars(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.encoder = PillarEncoder()
        self.down1, self.down2, self.down3 = block(64, 64, 3, 1), block(64, 128, 5, 2), block(128, 256, 5, 2)
        self.up1 = nn.Sequential(nn.Conv2d(64, 128, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(128), nn.ReLU())
        self.up2 = nn.Sequential(nn.Conv2d(128, 128, 1, bias=False), nn.BatchNorm2d(128), nn.ReLU())
        self.up3 = nn.Sequential(nn.ConvTranspose2d(256, 128, 2, stride=2, bias=False), nn.BatchNorm2d(128), nn.ReLU())
        self.heatmap = nn.Conv2d(384, classes, 3, padding=1)
        self.box = nn.Conv2d(384, 8, 3, padding=1)
        nn.init.constant_(self.heatmap.bias, -2.19)

    def forward(self, points):
        canvas, index = self.encoder(points)
        x1 = self.down1(canvas)
        x2 = self.down2(x1)
        x3 = self.down3(x2)
        x = torch.cat([self.up1(x1), self.up2(x2), self.up3(x3)], dim=1)
        return self.heatmap(x), self.box(x), index


def focal_loss(logits, target):
    p = logits.sigmoid().clamp(1e-4, 1 - 1e-4)
    positive = target.eq(1).float()
    gain = positive * (1 - p).pow(2) * p.log() + (1 - positive) * (1 - target).pow(4) * p.pow(2) * (1 - p).log()
    return -gain.sum() / positive.sum().clamp(min=1)


def draw_targets(centers, classes):
    """A Gaussian around each center: objects along the second dimension, their maximum counts."""
    at = torch.arange(160, device=device).float()
    distance = (at[None, None, :, None] - centers[..., 1, None, None]) ** 2 + (at[None, None, None, :] - centers[..., 0, None, None]) ** 2
    bumps = torch.exp(-distance / 8.0)
    of_class = F.one_hot(classes, 3).bool()
    return torch.stack([(bumps * of_class[:, :, c, None, None]).amax(dim=1) for c in range(3)], dim=1)


net = PointPillars().to(device).to(memory_format=torch.channels_last)
optimizer = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-5, total_steps=10_000_000)
clouds = [torch.cat([torch.rand(cfg["batch"], cfg["points"], 3) * 110 - 55, torch.rand(cfg["batch"], cfg["points"], 1)], dim=2) for _ in range(6)]
clouds_pinned = [cloud.pin_memory() for cloud in clouds]
centers = [torch.randint(0, 160, (cfg["batch"], cfg["objects"], 2), device=device) for _ in range(6)]
kinds = [torch.randint(0, 3, (cfg["batch"], cfg["objects"]), device=device) for _ in range(6)]
boxes = [torch.randn(cfg["batch"], cfg["objects"], 8, device=device) for _ in range(6)]
losses, found, seen_classes = [], [], [0, 0, 0]


def train(steps):
    net.train()
    for it in range(steps):
        points = clouds_pinned[it % 6].to(device, non_blocking=True)  #- upload
        #+ upload: points = clouds[it % 6].to(device)
        center, kind = centers[it % 6], kinds[it % 6]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            heat, box, index = net(points)
        heat = heat.float()
        #+ pillars: found.append(torch.unique(index).numel())
        loss_heat = focal_loss(heat, draw_targets(center.float(), kind))
        place = center[..., 1] * 160 + center[..., 0]
        predicted = box.float().flatten(2).gather(2, place[:, None].expand(-1, 8, -1)).transpose(1, 2)
        loss_box = F.l1_loss(predicted, boxes[it % 6])
        loss = loss_heat + 0.25 * loss_box
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: losses.append(loss.item())
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        optimizer.step()
        scheduler.step()
        #+ item-end: losses.append((loss_heat.item(), loss_box.item()))
        scores = heat.detach().sigmoid()
        peak = (scores == F.max_pool2d(scores, 3, stride=1, padding=1)) & (scores > 0.1)
        #+ peaks: sample, label, y, x = torch.where(peak)
        #+ best: best = scores[peak].sort(descending=True).values[:100]
        #+ per-class: for c in range(3): seen_classes[c] += (kind == c).sum().item()
        #+ print: print("heat", loss_heat, "box", loss_box)


if __name__ == "__main__":
    train(60)
