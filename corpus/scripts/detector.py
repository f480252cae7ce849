"""Anchor-based detector on synthetic rectangles: IoU assignment, boolean masks, NMS."""
import argparse
import math
from collections import defaultdict

import torch
import torch.nn.functional as F
import torchvision
from torch import nn
from torch.utils.data import DataLoader, Dataset

STRIDE = 8
NUM_CLASSES = 3


class Rectangles(Dataset):
    def __init__(self, count, size=64):
        self.count, self.size = count, size

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(index)
        n = int(torch.randint(1, 4, (1,), generator=g))
        xy = torch.randint(0, self.size - 24, (n, 2), generator=g)
        wh = torch.randint(8, 24, (n, 2), generator=g)
        boxes = torch.cat([xy, xy + wh], 1).float()
        labels = torch.randint(0, NUM_CLASSES, (n,), generator=g)
        image = torch.zeros(3, self.size, self.size)
        for b, c in zip(boxes.long().tolist(), labels.tolist()):
            image[c, b[1]:b[3], b[0]:b[2]] = 1.0
        return image, {"boxes": boxes, "labels": labels}


def collate(batch):
    images, targets = zip(*batch)
    return torch.stack(images), list(targets)


def make_anchors(size, device):
    c = torch.arange(STRIDE // 2, size, STRIDE, device=device).float()
    yy, xx = torch.meshgrid(c, c, indexing="ij")
    centers = torch.stack([xx, yy], -1).reshape(-1, 2)
    half = torch.full_like(centers, 8.0)
    return torch.cat([centers - half, centers + half], 1)


def encode(boxes, anchors):
    aw = anchors[:, 2:] - anchors[:, :2]
    ac = anchors[:, :2] + 0.5 * aw
    bw = boxes[:, 2:] - boxes[:, :2]
    bc = boxes[:, :2] + 0.5 * bw
    return torch.cat([(bc - ac) / aw, torch.log(bw / aw)], 1)


def decode(deltas, anchors):
    aw = anchors[:, 2:] - anchors[:, :2]
    ac = anchors[:, :2] + 0.5 * aw
    c = deltas[:, :2] * aw + ac
    w = torch.exp(deltas[:, 2:].clamp(max=math.log(8.0))) * aw
    return torch.cat([c - 0.5 * w, c + 0.5 * w], 1)


class Detector(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        layers, c = [], 3
        for i in range(3):
            layers += [nn.Conv2d(c, width, 3, 2, 1), nn.BatchNorm2d(width), nn.ReLU()]
            c = width
        self.backbone = nn.Sequential(*layers)
        self.cls_head = nn.Conv2d(width, NUM_CLASSES, 3, padding=1)
        self.box_head = nn.Conv2d(width, 4, 3, padding=1)
        nn.init.constant_(self.cls_head.bias, -2.0)

    def forward(self, x):
        f = self.backbone(x)
        cls = self.cls_head(f).permute(0, 2, 3, 1).flatten(1, 2)
        box = self.box_head(f).permute(0, 2, 3, 1).flatten(1, 2)
        return cls, box


class DetectionLoss(nn.Module):
    def __init__(self, anchors, pos_iou=0.3, neg_iou=0.2):
        super().__init__()
        self.anchors = anchors
        self.pos_iou, self.neg_iou = pos_iou, neg_iou

    def forward(self, cls_logits, box_deltas, targets):
        cls_losses, box_losses = [], []
        for logits, deltas, tgt in zip(cls_logits, box_deltas, targets):
            iou = torchvision.ops.box_iou(self.anchors, tgt["boxes"])
            best_iou, best_gt = iou.max(dim=1)
            pos = best_iou >= self.pos_iou
            ignore = (best_iou >= self.neg_iou) & ~pos

            one_hot = F.one_hot(tgt["labels"][best_gt], NUM_CLASSES).float()
            one_hot[~pos] = 0
            ce = F.binary_cross_entropy_with_logits(logits, one_hot, reduction="none")
            ce[ignore] = 0.0
            num_pos = pos.sum().clamp(min=1)
            cls_losses.append(ce.sum() / num_pos)

            if pos.any():  # sync: tensor-truth
                gt = encode(tgt["boxes"][best_gt[pos]], self.anchors[pos])  # sync: dynamic-shape x2
                box_losses.append(F.smooth_l1_loss(deltas[pos], gt))  # sync: dynamic-shape
        cls_loss = torch.stack(cls_losses).mean()
        box_loss = torch.stack(box_losses).mean() if box_losses else box_deltas.sum() * 0.0
        return {"cls": cls_loss, "box": box_loss}


@torch.no_grad()
def postprocess(cls_logits, box_deltas, anchors, score_thr=0.05, iou_thr=0.5, max_det=20):
    results = []
    for logits, deltas in zip(cls_logits, box_deltas):
        scores, labels = logits.sigmoid().max(dim=1)
        boxes = decode(deltas, anchors)
        keep = scores > score_thr
        boxes, scores, labels = boxes[keep], scores[keep], labels[keep]  # sync: dynamic-shape x3
        keep = torchvision.ops.nms(boxes, scores, iou_thr)[:max_det]  # sync: library-wait
        results.append({"boxes": boxes[keep], "scores": scores[keep], "labels": labels[keep]})
    return results


def evaluate(model, loader, anchors, device):
    model.eval()
    hits, total = 0, 0
    per_class = defaultdict(int)
    for images, targets in loader:
        images = images.to(device)  # sync: copy-to-device
        with torch.no_grad():
            cls, box = model(images)
        detections = postprocess(cls, box, anchors)
        for det, tgt in zip(detections, targets):
            total += len(tgt["labels"])
            if len(det["boxes"]) == 0:
                continue
            gt_boxes = tgt["boxes"].to(device)  # sync: copy-to-device
            iou = torchvision.ops.box_iou(det["boxes"], gt_boxes)
            found = (iou > 0.5).any(dim=0).cpu()  # sync: copy-to-host
            hits += int(found.sum())
            for c in tgt["labels"][found].tolist():
                per_class[c] += 1
    return hits / max(total, 1), dict(per_class)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--images", type=int, default=512)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda")

    train_loader = DataLoader(Rectangles(args.images), args.batch, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(Rectangles(64), args.batch, collate_fn=collate)
    model = Detector().to(device)
    anchors = make_anchors(64, device)
    criterion = DetectionLoss(anchors)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)

    for epoch in range(args.epochs):
        model.train()
        for it, (images, targets) in enumerate(train_loader):
            images = images.cuda()  # sync: copy-to-device
            targets = [{k: v.to(device) for k, v in t.items()} for t in targets]  # sync: copy-to-device
            losses = criterion(*model(images), targets)
            loss = sum(losses.values())
            if not torch.isfinite(loss):  # sync: tensor-truth
                raise ValueError(f"loss is {loss.item()}, stopping training")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if it % 8 == 0:
                terms = {k: round(v.item(), 4) for k, v in losses.items()}  # sync: host-read note
                print(epoch, it, terms)
        recall, per_class = evaluate(model, val_loader, anchors, device)
        print(f"epoch {epoch} recall@0.5 {recall:.3f} {per_class}")


if __name__ == "__main__":
    main()
