from typing import Dict, List, Tuple

import torch
import torch.nn.functional as F
from torch import nn
from torchvision.ops import batched_nms

from .box_ops import nonempty, pairwise_iou
from .matcher import Matcher, subsample_labels


class Backbone(nn.Module):
    def __init__(self, channels=64):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(3, channels, 7, 4, 3), nn.ReLU(inplace=True), nn.Conv2d(channels, channels, 3, 2, 1))

    def forward(self, x):
        return {"p3": self.layers(x)}


class Detector(nn.Module):
    def __init__(self, num_classes, pixel_mean: Tuple[float], pixel_std: Tuple[float], batch_size_per_image=256):
        super().__init__()
        self.backbone = Backbone()
        self.cls_score = nn.Conv2d(64, num_classes + 1, 1)
        self.bbox_pred = nn.Conv2d(64, 4, 1)
        self.num_classes = num_classes
        self.batch_size_per_image = batch_size_per_image
        self.matcher = Matcher([0.3, 0.7], [0, -1, 1], allow_low_quality_matches=True)
        self.register_buffer("pixel_mean", torch.tensor(pixel_mean).view(-1, 1, 1), False)
        self.register_buffer("pixel_std", torch.tensor(pixel_std).view(-1, 1, 1), False)

    @property
    def device(self):
        return self.pixel_mean.device

    def preprocess_image(self, batched_inputs: List[Dict[str, torch.Tensor]]):
        images = [x["image"].to(self.device) for x in batched_inputs]  # sync: copy-to-device
        images = [(x - self.pixel_mean) / self.pixel_std for x in images]
        return torch.stack(images)

    def forward(self, batched_inputs: List[Dict[str, torch.Tensor]]):
        images = self.preprocess_image(batched_inputs)
        features = self.backbone(images)["p3"]
        scores = self.cls_score(features).flatten(2).permute(0, 2, 1)
        deltas = self.bbox_pred(features).flatten(2).permute(0, 2, 1)
        if not self.training:
            return self.inference(scores, deltas)
        gt_boxes = [x["gt_boxes"].to(self.device) for x in batched_inputs]  # sync: copy-to-device
        return self.losses(scores, deltas, gt_boxes)

    @torch.no_grad()
    def label_anchors(self, boxes, gt_boxes):
        labels = []
        for b, gt in zip(boxes, gt_boxes):
            quality = pairwise_iou(gt, b)
            matched_idxs, gt_labels = self.matcher(quality)
            pos, neg = subsample_labels(gt_labels, self.batch_size_per_image, 0.5, 0)
            gt_labels.fill_(-1)
            gt_labels.scatter_(0, pos, 1)
            gt_labels.scatter_(0, neg, 0)
            labels.append(gt_labels)
        return labels

    def losses(self, scores, deltas, gt_boxes):
        labels = torch.stack(self.label_anchors(deltas.detach(), gt_boxes))
        valid = labels >= 0
        pos = labels == 1
        num_pos = pos.sum().item()  # sync: host-read
        loss_cls = F.cross_entropy(scores[valid], labels[valid].long(), reduction="sum")  # sync: dynamic-shape x2
        loss_box = deltas[pos].abs().sum()  # sync: dynamic-shape
        normalizer = self.batch_size_per_image * len(gt_boxes)
        return {"loss_cls": loss_cls / normalizer, "loss_box": loss_box / max(num_pos, 1)}

    def inference(self, scores, deltas):
        results = []
        for s, d in zip(scores.softmax(-1), deltas):
            conf, cls = s[:, :-1].max(1)
            keep = nonempty(d) & (conf > 0.05)
            boxes, conf, cls = d[keep], conf[keep], cls[keep]  # sync: dynamic-shape x3
            keep = batched_nms(boxes, conf, cls, 0.5)  # sync: library-wait
            results.append({"boxes": boxes[keep], "scores": conf[keep], "classes": cls[keep]})
        return results
