"""An SSD: anchors are matched with objects by overlap, hard negatives are mined; which anchors count the GPU alone knows."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision
from torchvision.ops import batched_nms, box_iou

IMAGE, BATCH, CLASSES, OBJECTS = 300, 24, 21, 8
STEPS = (38, 19, 10, 5)
SCALES = (30.0, 70.0, 140.0, 220.0)
RATIOS = (0.5, 1.0, 2.0, 3.0)
device = torch.device("cuda")


class SSD(nn.Module):
    def __init__(self):
        super().__init__()
        vgg = torchvision.models.vgg16(weights=None).features
        vgg[16].ceil_mode = True
        self.base = vgg[:23]
        self.deep = vgg[23:30]
        self.extra1 = nn.Sequential(nn.MaxPool2d(2, ceil_mode=True), nn.Conv2d(512, 512, 3, padding=1), nn.ReLU(inplace=True))
        self.extra2 = nn.Sequential(nn.Conv2d(512, 256, 3, stride=2, padding=1), nn.ReLU(inplace=True))
        self.norm = nn.GroupNorm(32, 512)
        widths = (512, 512, 512, 256)
        self.loc = nn.ModuleList([nn.Conv2d(w, len(RATIOS) * 4, 3, padding=1) for w in widths])
        self.conf = nn.ModuleList([nn.Conv2d(w, len(RATIOS) * CLASSES, 3, padding=1) for w in widths])

    def forward(self, x):
        x = self.base(x)
        features = [self.norm(x)]
        x = self.deep(x)
        features.append(x)
        x = self.extra1(x)
        features.append(x)
        features.append(self.extra2(x))
        loc, conf = [], []
        for f, l, c in zip(features, self.loc, self.conf):
            loc.append(l(f).permute(0, 2, 3, 1).reshape(x.size(0), -1, 4))
            conf.append(c(f).permute(0, 2, 3, 1).reshape(x.size(0), -1, CLASSES))
        return torch.cat(loc, 1), torch.cat(conf, 1)


def make_anchors():
    anchors = []
    for cells, scale in zip(STEPS, SCALES):
        center = (torch.arange(cells) + 0.5) * IMAGE / cells
        cy, cx = torch.meshgrid(center, center, indexing="ij")
        for_cells = []
        for ratio in RATIOS:
            w, h = scale * ratio ** 0.5, scale / ratio ** 0.5
            for_cells.append(torch.stack([cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2], dim=-1))
        anchors.append(torch.stack(for_cells, dim=2).reshape(-1, 4))
    return torch.cat(anchors).to(device)


def assign(anchors, boxes, labels):
    """For each picture of the batch the class and box that each anchor has to find."""
    classes, wanted = [], []
    for picture in range(BATCH):
        overlap, which = box_iou(anchors, boxes[picture]).max(dim=1)
        classes.append(torch.where(overlap > 0.5, labels[picture][which] + 1, 0))
        wanted.append(boxes[picture][which])
    return torch.stack(classes), torch.stack(wanted)


def encode(wanted, anchors):
    size = anchors[:, 2:] - anchors[:, :2]
    return (wanted - anchors[None]) / torch.cat([size, size], dim=1)[None]


def multibox_loss(loc, conf, classes, offsets):
    positive = classes > 0
    count = positive.sum(dim=1, keepdim=True)
    each = F.cross_entropy(conf.flatten(0, 1), classes.flatten(), reduction="none").view(classes.shape)
    _, order = each.detach().masked_fill(positive, 0).sort(dim=1, descending=True)
    rank = order.argsort(dim=1)
    negative = rank < (3 * count).clamp(min=8)
    conf_loss = (each * (positive | negative)).sum() / count.sum().clamp(min=1)
    loc_loss = (F.smooth_l1_loss(loc, offsets, reduction="none").sum(-1) * positive).sum() / count.sum().clamp(min=1)
    return loc_loss, conf_loss, positive


model = SSD().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-7, momentum=0.9, weight_decay=5e-4)
anchors = make_anchors()
corners = torch.rand(6, BATCH, OBJECTS, 2, device=device) * 200
boxes = torch.cat([corners, corners + 30 + 60 * torch.rand_like(corners)], dim=-1)
labels = torch.randint(0, CLASSES - 1, (6, BATCH, OBJECTS), device=device)
pictures = [torch.rand(BATCH, 3, IMAGE, IMAGE) for _ in range(6)]
pictures_pinned = [p.pin_memory() for p in pictures]
curve = []


def train(steps):
    model.train()
    for step in range(steps):
        x = pictures_pinned[step % 6].to(device, non_blocking=True)  #- upload
        #+ upload: x = pictures[step % 6].to(device)
        loc, conf = model(x)
        classes, wanted = assign(anchors, boxes[step % 6], labels[step % 6])
        loc_loss, conf_loss, positive = multibox_loss(loc, conf, classes, encode(wanted, anchors))
        loss = loc_loss + conf_loss
        #+ item-forward: curve.append(loss.item())
        #+ only-positive: loss = conf_loss + F.smooth_l1_loss(loc[positive], encode(wanted, anchors)[positive])
        #+ none-found: if positive.sum() == 0: continue
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: curve.append(loss.item())
        optimizer.step()
        #+ item-end: curve.append(loss.item())
        #+ two: curve.append({"loc": loc_loss.item(), "conf": conf_loss.item()})
        #+ nms: kept = batched_nms(anchors, conf[0].detach().amax(-1), conf[0].argmax(-1), 0.45)
        #+ sure: sure = torch.nonzero(conf[0].detach().softmax(-1)[:, 1:].amax(-1) > 0.3)
        #+ print: print("positive", positive.sum())
        #+ tenth: if step % 10 == 0: print(f"{step} loc {loc_loss.item():.3f} conf {conf_loss.item():.3f}")


if __name__ == "__main__":
    train(1000)
