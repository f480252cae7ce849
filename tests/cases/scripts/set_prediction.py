"""Set prediction detector: matcher, criterion, metric logger, COCO evaluation."""
import argparse
import datetime
import json
import math
import sys
import time
from collections import defaultdict, deque
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
import torchvision
from pycocotools.cocoeval import COCOeval
from scipy.optimize import linear_sum_assignment
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler
from torchvision.ops import box_convert, generalized_box_iou


class SmoothedValue:
    def __init__(self, window_size=20, fmt="{median:.4f} ({global_avg:.4f})"):
        self.deque = deque(maxlen=window_size)
        self.total = 0.0
        self.count = 0
        self.fmt = fmt

    def update(self, value, n=1):
        self.deque.append(value)
        self.count += n
        self.total += value * n

    def synchronize_between_processes(self):
        if not dist.is_initialized():
            return
        t = torch.tensor([self.count, self.total], dtype=torch.float64, device="cuda")  # sync: tensor-from-host note
        dist.barrier()  # sync: library-wait note
        dist.all_reduce(t)
        t = t.tolist()  # sync: host-read note
        self.count = int(t[0])
        self.total = t[1]

    @property
    def median(self):
        return torch.tensor(list(self.deque)).median().item()

    @property
    def global_avg(self):
        return self.total / self.count

    def __str__(self):
        return self.fmt.format(median=self.median, global_avg=self.global_avg)


class MetricLogger:
    def __init__(self, delimiter="\t"):
        self.meters = defaultdict(SmoothedValue)
        self.delimiter = delimiter

    def update(self, **kwargs):
        for k, v in kwargs.items():
            if isinstance(v, torch.Tensor):
                v = v.item()  # sync: host-read
            assert isinstance(v, (float, int))
            self.meters[k].update(v)

    def __str__(self):
        return self.delimiter.join(f"{name}: {meter}" for name, meter in self.meters.items())

    def synchronize_between_processes(self):
        for meter in self.meters.values():
            meter.synchronize_between_processes()

    def log_every(self, iterable, print_freq, header=""):
        start = time.time()
        for i, obj in enumerate(iterable):
            yield obj
            if i % print_freq == 0:
                print(self.delimiter.join([header, str(i), str(self), f"max mem: {torch.cuda.max_memory_allocated() / 2**20:.0f}"]))
        print(f"{header} Total time: {datetime.timedelta(seconds=int(time.time() - start))}")


def reduce_dict(input_dict, average=True):
    world_size = dist.get_world_size() if dist.is_initialized() else 1
    if world_size < 2:
        return input_dict
    with torch.no_grad():
        names = sorted(input_dict)
        values = torch.stack([input_dict[k] for k in names], dim=0)
        dist.all_reduce(values)
        if average:
            values /= world_size
        return {k: v for k, v in zip(names, values)}


class HungarianMatcher(nn.Module):
    def __init__(self, cost_class=1, cost_bbox=5, cost_giou=2):
        super().__init__()
        self.cost_class, self.cost_bbox, self.cost_giou = cost_class, cost_bbox, cost_giou

    @torch.no_grad()
    def forward(self, outputs, targets):
        bs, num_queries = outputs["pred_logits"].shape[:2]
        out_prob = outputs["pred_logits"].flatten(0, 1).softmax(-1)
        out_bbox = outputs["pred_boxes"].flatten(0, 1)
        tgt_ids = torch.cat([v["labels"] for v in targets])
        tgt_bbox = torch.cat([v["boxes"] for v in targets])
        cost_class = -out_prob[:, tgt_ids]
        cost_bbox = torch.cdist(out_bbox, tgt_bbox, p=1)
        cost_giou = -generalized_box_iou(box_convert(out_bbox, "cxcywh", "xyxy"), box_convert(tgt_bbox, "cxcywh", "xyxy"))
        C = self.cost_bbox * cost_bbox + self.cost_class * cost_class + self.cost_giou * cost_giou
        C = C.view(bs, num_queries, -1).cpu()  # sync: copy-to-host
        sizes = [len(v["boxes"]) for v in targets]
        indices = [linear_sum_assignment(c[i]) for i, c in enumerate(C.split(sizes, -1))]
        return [(torch.as_tensor(i, dtype=torch.int64), torch.as_tensor(j, dtype=torch.int64)) for i, j in indices]


class SetCriterion(nn.Module):
    def __init__(self, num_classes, matcher, weight_dict, eos_coef):
        super().__init__()
        self.num_classes = num_classes
        self.matcher = matcher
        self.weight_dict = weight_dict
        empty_weight = torch.ones(num_classes + 1)
        empty_weight[-1] = eos_coef
        self.register_buffer("empty_weight", empty_weight)

    def loss_labels(self, outputs, targets, indices, num_boxes):
        src_logits = outputs["pred_logits"]
        idx = self._get_src_permutation_idx(indices)
        target_classes_o = torch.cat([t["labels"][J] for t, (_, J) in zip(targets, indices)])  # sync: index-from-host
        target_classes = torch.full(src_logits.shape[:2], self.num_classes, dtype=torch.int64, device=src_logits.device)
        target_classes[idx] = target_classes_o  # sync: index-from-host
        loss_ce = F.cross_entropy(src_logits.transpose(1, 2), target_classes, self.empty_weight)
        return {"loss_ce": loss_ce}

    @torch.no_grad()
    def loss_cardinality(self, outputs, targets, indices, num_boxes):
        pred_logits = outputs["pred_logits"]
        tgt_lengths = torch.as_tensor([len(v["labels"]) for v in targets], device=pred_logits.device)  # sync: tensor-from-host
        card_pred = (pred_logits.argmax(-1) != pred_logits.shape[-1] - 1).sum(1)
        return {"cardinality_error": F.l1_loss(card_pred.float(), tgt_lengths.float())}

    def loss_boxes(self, outputs, targets, indices, num_boxes):
        idx = self._get_src_permutation_idx(indices)
        src_boxes = outputs["pred_boxes"][idx]  # sync: index-from-host
        target_boxes = torch.cat([t["boxes"][i] for t, (_, i) in zip(targets, indices)], dim=0)  # sync: index-from-host
        loss_bbox = F.l1_loss(src_boxes, target_boxes, reduction="none")
        loss_giou = 1 - torch.diag(generalized_box_iou(box_convert(src_boxes, "cxcywh", "xyxy"), box_convert(target_boxes, "cxcywh", "xyxy")))
        return {"loss_bbox": loss_bbox.sum() / num_boxes, "loss_giou": loss_giou.sum() / num_boxes}

    def _get_src_permutation_idx(self, indices):
        batch_idx = torch.cat([torch.full_like(src, i) for i, (src, _) in enumerate(indices)])
        src_idx = torch.cat([src for (src, _) in indices])
        return batch_idx, src_idx

    def get_loss(self, loss, outputs, targets, indices, num_boxes):
        loss_map = {"labels": self.loss_labels, "cardinality": self.loss_cardinality, "boxes": self.loss_boxes}
        return loss_map[loss](outputs, targets, indices, num_boxes)

    def forward(self, outputs, targets):
        indices = self.matcher(outputs, targets)
        num_boxes = sum(len(t["labels"]) for t in targets)
        num_boxes = torch.as_tensor([num_boxes], dtype=torch.float, device=next(iter(outputs.values())).device)  # sync: tensor-from-host
        if dist.is_initialized():
            dist.all_reduce(num_boxes)
        num_boxes = torch.clamp(num_boxes / (dist.get_world_size() if dist.is_initialized() else 1), min=1).item()  # sync: host-read
        losses = {}
        for loss in ("labels", "cardinality", "boxes"):
            losses.update(self.get_loss(loss, outputs, targets, indices, num_boxes))
        return losses


class Detector(nn.Module):
    def __init__(self, num_classes, hidden=256, queries=100):
        super().__init__()
        self.backbone = nn.Sequential(*list(torchvision.models.resnet50(weights="DEFAULT").children())[:-2])
        self.proj = nn.Conv2d(2048, hidden, 1)
        self.transformer = nn.Transformer(hidden, 8, 6, 6)
        self.queries = nn.Parameter(torch.rand(queries, hidden))
        self.cls = nn.Linear(hidden, num_classes + 1)
        self.box = nn.Linear(hidden, 4)

    def forward(self, images):
        x = self.proj(self.backbone(images)).flatten(2).permute(2, 0, 1)
        h = self.transformer(x, self.queries.unsqueeze(1).repeat(1, images.size(0), 1)).transpose(0, 1)
        return {"pred_logits": self.cls(h), "pred_boxes": self.box(h).sigmoid()}


class PostProcess(nn.Module):
    @torch.no_grad()
    def forward(self, outputs, target_sizes):
        prob = outputs["pred_logits"].softmax(-1)
        scores, labels = prob[..., :-1].max(-1)
        boxes = box_convert(outputs["pred_boxes"], "cxcywh", "xyxy")
        img_h, img_w = target_sizes.unbind(1)
        boxes = boxes * torch.stack([img_w, img_h, img_w, img_h], dim=1)[:, None, :]
        return [{"scores": s, "labels": l, "boxes": b} for s, l, b in zip(scores, labels, boxes)]


class CocoEvaluator:
    def __init__(self, coco_gt):
        self.coco_gt = coco_gt
        self.results = []

    def update(self, predictions):
        for image_id, prediction in predictions.items():
            if len(prediction["boxes"]) == 0:
                continue
            boxes = box_convert(prediction["boxes"], "xyxy", "xywh").tolist()  # sync: host-read
            scores = prediction["scores"].tolist()  # sync: host-read
            labels = prediction["labels"].tolist()  # sync: host-read
            self.results.extend({"image_id": image_id, "category_id": labels[k], "bbox": box, "score": scores[k]} for k, box in enumerate(boxes))

    def summarize(self):
        coco_dt = self.coco_gt.loadRes(self.results)
        e = COCOeval(self.coco_gt, coco_dt, "bbox")
        e.evaluate()
        e.accumulate()
        e.summarize()
        return e.stats.tolist()


def train_one_epoch(model, criterion, data_loader, optimizer, device, epoch, max_norm=0.1):
    model.train()
    criterion.train()
    metric_logger = MetricLogger(delimiter="  ")
    for samples, targets in metric_logger.log_every(data_loader, 10, f"Epoch: [{epoch}]"):
        samples = samples.to(device)  # sync: copy-to-device
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]  # sync: copy-to-device
        outputs = model(samples)
        loss_dict = criterion(outputs, targets)
        weight_dict = criterion.weight_dict
        losses = sum(loss_dict[k] * weight_dict[k] for k in loss_dict.keys() if k in weight_dict)
        loss_dict_reduced = reduce_dict(loss_dict)
        loss_dict_scaled = {k: v * weight_dict[k] for k, v in loss_dict_reduced.items() if k in weight_dict}
        losses_reduced_scaled = sum(loss_dict_scaled.values())
        loss_value = losses_reduced_scaled.item()  # sync: host-read
        if not math.isfinite(loss_value):
            print(f"Loss is {loss_value}, stopping training")
            print(loss_dict_reduced)
            sys.exit(1)
        optimizer.zero_grad()
        losses.backward()
        if max_norm > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        metric_logger.update(loss=loss_value, **loss_dict_scaled)
        metric_logger.update(lr=optimizer.param_groups[0]["lr"])
    metric_logger.synchronize_between_processes()
    return {k: meter.global_avg for k, meter in metric_logger.meters.items()}


@torch.no_grad()
def evaluate(model, criterion, postprocessor, data_loader, coco, device):
    model.eval()
    metric_logger = MetricLogger()
    evaluator = CocoEvaluator(coco)
    for samples, targets in metric_logger.log_every(data_loader, 10, "Test:"):
        samples = samples.to(device)  # sync: copy-to-device
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]  # sync: copy-to-device
        outputs = model(samples)
        loss_dict = reduce_dict(criterion(outputs, targets))
        metric_logger.update(loss=sum(loss_dict.values()))
        orig_sizes = torch.stack([t["orig_size"] for t in targets], dim=0)
        results = postprocessor(outputs, orig_sizes)
        res = {target["image_id"].item(): output for target, output in zip(targets, results)}  # sync: host-read
        evaluator.update(res)
    return evaluator.summarize()


class CocoDetection(torchvision.datasets.CocoDetection):
    def __getitem__(self, i):
        image, anno = super().__getitem__(i)
        w, h = image.size
        boxes = torch.tensor([a["bbox"] for a in anno]) / torch.tensor([w, h, w, h])
        return torchvision.transforms.functional.to_tensor(image), {
            "boxes": boxes, "labels": torch.tensor([a["category_id"] for a in anno]),
            "image_id": torch.tensor(self.ids[i]), "orig_size": torch.tensor([h, w])}


def collate_fn(batch):
    images, targets = zip(*batch)
    return torch.stack(images), targets


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--coco", type=str)
    parser.add_argument("--epochs", default=50, type=int)
    args = parser.parse_args()
    device = torch.device(args.device)
    model = Detector(91).to(device)
    criterion = SetCriterion(91, HungarianMatcher(), {"loss_ce": 1, "loss_bbox": 5, "loss_giou": 2}, 0.1).to(device)
    post = PostProcess()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    train_ds = CocoDetection(args.coco + "/train2017", args.coco + "/train.json")
    val_ds = CocoDetection(args.coco + "/val2017", args.coco + "/val.json")
    loader = DataLoader(train_ds, 4, shuffle=True, collate_fn=collate_fn, num_workers=4)
    val_loader = DataLoader(val_ds, 4, collate_fn=collate_fn, num_workers=4)
    for epoch in range(args.epochs):
        stats = train_one_epoch(model, criterion, loader, optimizer, device, epoch)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, "checkpoint.pth")  # sync: copy-to-host note
        coco_stats = evaluate(model, criterion, post, val_loader, val_ds.coco, device)
        with Path("log.txt").open("a") as f:
            f.write(json.dumps({**stats, "coco": coco_stats}) + "\n")


if __name__ == "__main__":
    main()
