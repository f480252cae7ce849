"""A detector without anchors: which points lie in an object, and how many, is known on the GPU alone."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision

BATCH, SIDE, CLASSES, OBJECTS = 48, 352, 20, 12
STRIDES = (8, 16, 32)
device = torch.device("cuda")


def conv(inputs, outputs, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(conv(3, 32, 2), conv(32, 64, 2))
        self.c3 = nn.Sequential(conv(64, 128, 2), conv(128, 128))
        self.c4 = nn.Sequential(conv(128, 256, 2), conv(256, 256))
        self.c5 = nn.Sequential(conv(256, 512, 2), conv(512, 512))
        self.lateral = nn.ModuleList([nn.Conv2d(width, 128, 1) for width in (128, 256, 512)])

    def forward(self, x):
        c3 = self.c3(self.stem(x))
        c4 = self.c4(c3)
        c5 = self.c5(c4)
        p3, p4, p5 = [lateral(c) for lateral, c in zip(self.lateral, (c3, c4, c5))]
        p4 = p4 + F.interpolate(p5, scale_factor=2, mode="nearest")
        p3 = p3 + F.interpolate(p4, scale_factor=2, mode="nearest")
        return [p3, p4, p5]


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.tower = nn.Sequential(conv(128, 128), conv(128, 128))
        self.scores = nn.Conv2d(128, CLASSES, 3, padding=1)
        self.sides = nn.Conv2d(128, 4, 3, padding=1)

    def forward(self, images):
        scores, sides = [], []
        for level, stride in zip(self.backbone(images), STRIDES):
            level = self.tower(level)
            scores.append(self.scores(level).flatten(2).transpose(1, 2))
            sides.append(F.relu(self.sides(level)).flatten(2).transpose(1, 2) * stride)
        return torch.cat(scores, dim=1), torch.cat(sides, dim=1)


def make_points():
    levels = []
    for stride in STRIDES:
        at = (torch.arange(SIDE // stride, device=device) + 0.5) * stride
        y, x = torch.meshgrid(at, at, indexing="ij")
        levels.append(torch.stack([x.flatten(), y.flatten()], dim=1))
    return torch.cat(levels)


def match(points, boxes):
    """Distances of each point to the sides of the first box that holds it, and whether there is one."""
    left_top = points[None, :, None] - boxes[:, None, :, :2]
    right_bottom = boxes[:, None, :, 2:] - points[None, :, None]
    distances = torch.cat([left_top, right_bottom], dim=3)
    inside = distances.min(dim=3).values > 0
    which = inside.float().argmax(dim=2)
    return distances.gather(2, which[..., None, None].expand(-1, -1, 1, 4)).squeeze(2), inside.any(dim=2), which


model = Detector().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-6, momentum=0.9, weight_decay=1e-4)
points = make_points()
corner = torch.rand(4, BATCH, OBJECTS, 2, device=device) * (SIDE - 100)
boxes = torch.cat([corner, corner + 20 + 80 * torch.rand_like(corner)], dim=3)
labels = torch.randint(0, CLASSES, (4, BATCH, OBJECTS), device=device)
pageable = [torch.rand(BATCH, 3, SIDE, SIDE) for _ in range(4)]
pinned = [images.pin_memory() for images in pageable]
history = []


def train(steps):
    model.train()
    for step in range(steps):
        images = pinned[step % 4].to(device, non_blocking=True)  #- upload
        #+ upload: images = pageable[step % 4].to(device)
        scores, sides = model(images)
        targets, positive, which = match(points, boxes[step % 4])
        wanted = F.one_hot(labels[step % 4].gather(1, which), CLASSES) * positive[..., None]
        count = positive.sum().clamp(min=1)
        score_loss = torchvision.ops.sigmoid_focal_loss(scores, wanted.float(), reduction="sum") / count
        side_loss = (F.l1_loss(sides, targets, reduction="none").mean(2) * positive).sum() / count  #- positives
        #+ positives: side_loss = F.l1_loss(sides[positive], targets[positive])
        loss = score_loss + 0.1 * side_loss
        #+ item-forward: history.append(loss.item())
        #+ empty: if not positive.any(): continue
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: history.append(loss.item())
        optimizer.step()
        #+ item-end: history.append(loss.item())
        #+ found: found = torch.nonzero(scores.detach().sigmoid() > 0.7)
        #+ nms: kept = torchvision.ops.nms(boxes[step % 4][0], scores[0, :OBJECTS].detach().max(1)[0], 0.5)
        #+ per-image: history.append(positive.sum(1).tolist())
        #+ print: print("objects", count)
        #+ tenth: if step % 10 == 0: history.append((score_loss.item(), side_loss.item()))


if __name__ == "__main__":
    train(1000)
