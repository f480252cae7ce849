"""Detection loop: custom collate, class-aware NMS after the epoch, COCO evaluation."""
import sys

import torch
import torchvision
from torch.utils.data import DataLoader
from torchvision.ops import batched_nms, box_iou


def collate_fn(batch):
    return tuple(zip(*batch))


@torch.no_grad()
def filter_predictions(output, score_thr=0.05, iou_thr=0.5, top=100):
    keep = output["scores"] > score_thr
    boxes, scores, labels = (output[k][keep] for k in ("boxes", "scores", "labels"))  # sync: dynamic-shape
    if boxes.numel() == 0:
        return boxes, scores, labels
    picked = batched_nms(boxes, scores, labels, iou_thr)[:top]  # sync: library-wait
    return boxes[picked], scores[picked], labels[picked]


class CocoResults:
    def __init__(self):
        self.rows = []

    def update(self, predictions):
        for image_id, (boxes, scores, labels) in predictions.items():
            boxes = boxes.clone()
            boxes[:, 2:] -= boxes[:, :2]
            boxes = boxes.tolist()  # sync: host-read
            scores = scores.tolist()  # sync: host-read
            labels = labels.cpu().numpy()  # sync: copy-to-host
            self.rows.extend({"image_id": image_id, "bbox": b, "score": s, "category_id": int(c)} for b, s, c in zip(boxes, scores, labels))


def train_one_epoch(model, optimizer, loader, device, epoch):
    model.train()
    for images, targets in loader:
        images = list(image.to(device) for image in images)  # sync: copy-to-device
        targets = [{k: v.to(device) if isinstance(v, torch.Tensor) else v for k, v in t.items()} for t in targets]  # sync: copy-to-device
        loss_dict = model(images, targets)
        losses = sum(loss for loss in loss_dict.values())
        reduced = {k: v.item() for k, v in loss_dict.items()}  # sync: host-read
        if not torch.isfinite(losses):  # sync: tensor-truth
            print(f"Loss is {losses}, stopping", reduced)
            sys.exit(1)
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()


@torch.inference_mode()
def evaluate(model, loader, device):
    model.eval()
    results = CocoResults()
    ious = []
    for images, targets in loader:
        images = [img.to(device) for img in images]  # sync: copy-to-device
        outputs = model(images)
        kept = [filter_predictions(o) for o in outputs]
        results.update({t["image_id"]: k for t, k in zip(targets, kept)})
        for t, (boxes, _, _) in zip(targets, kept):
            iou = box_iou(boxes, t["boxes"].to(device))  # sync: copy-to-device
            if iou.numel():
                ious.append(iou.max(dim=1).values.mean())
    return results, torch.stack(ious).mean().item()  # sync: host-read note


def main(train_set, val_set):
    device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
    train_loader = DataLoader(train_set, batch_size=2, shuffle=True, collate_fn=collate_fn)
    val_loader = DataLoader(val_set, batch_size=1, collate_fn=collate_fn)
    model = torchvision.models.detection.fasterrcnn_resnet50_fpn(weights="DEFAULT")
    model.to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=0.005, momentum=0.9)
    for epoch in range(10):
        train_one_epoch(model, optimizer, train_loader, device, epoch)
        _, miou = evaluate(model, val_loader, device=device)
        print(epoch, miou)
