import torch
from torch import nn
from torch.nn import functional as F
from torchvision.ops import batched_nms, box_iou, sigmoid_focal_loss

from engine import get_event_storage


class OneStage(nn.Module):
    """anchor-free, FCOS-like, single level with stride 8"""

    def __init__(self, num_classes=3, width=24, stride=8, score_thresh=0.2, nms_thresh=0.5, topk=50):
        super().__init__()
        self.num_classes, self.stride = num_classes, stride
        self.score_thresh, self.nms_thresh, self.topk = score_thresh, nms_thresh, topk
        chans = [3, width, width * 2, width * 2]
        self.backbone = nn.Sequential(*[
            nn.Sequential(nn.Conv2d(a, b, 3, 2, 1), nn.GroupNorm(8, b), nn.ReLU()) for a, b in zip(chans, chans[1:])])
        self.tower = nn.Sequential(nn.Conv2d(width * 2, width * 2, 3, 1, 1), nn.ReLU())
        self.cls_score = nn.Conv2d(width * 2, num_classes, 3, 1, 1)
        self.bbox_pred = nn.Conv2d(width * 2, 4, 3, 1, 1)
        nn.init.constant_(self.cls_score.bias, -3.0)
        self.register_buffer("pixel_mean", torch.tensor([0.1, 0.1, 0.1]).view(3, 1, 1))

    @property
    def device(self):
        return self.pixel_mean.device

    def locations(self, h, w):
        ys, xs = torch.meshgrid(torch.arange(h, device=self.device), torch.arange(w, device=self.device), indexing="ij")
        return (torch.stack([xs, ys], -1).reshape(-1, 2).float() + 0.5) * self.stride

    @torch.no_grad()
    def label(self, locs, gt_boxes, gt_classes):
        labels = torch.full((len(locs),), self.num_classes, device=self.device)
        reg = torch.zeros(len(locs), 4, device=self.device)
        if len(gt_boxes) == 0:
            return labels, reg
        l = locs[:, None, 0] - gt_boxes[None, :, 0]
        t = locs[:, None, 1] - gt_boxes[None, :, 1]
        r = gt_boxes[None, :, 2] - locs[:, None, 0]
        b = gt_boxes[None, :, 3] - locs[:, None, 1]
        ltrb = torch.stack([l, t, r, b], -1)
        inside = ltrb.min(-1).values > 0
        areas = ((gt_boxes[:, 2] - gt_boxes[:, 0]) * (gt_boxes[:, 3] - gt_boxes[:, 1]))[None].repeat(len(locs), 1)
        areas[~inside] = 1e8
        min_area, idx = areas.min(1)
        fg = min_area < 1e8
        labels[fg] = gt_classes[idx[fg]]
        reg[fg] = ltrb[torch.nonzero(fg).squeeze(1), idx[fg]] / self.stride
        return labels, reg

    def forward(self, batched_inputs):
        images = torch.stack([x["image"].to(self.device) for x in batched_inputs]) - self.pixel_mean
        feat = self.tower(self.backbone(images))
        h, w = feat.shape[-2:]
        logits = self.cls_score(feat).permute(0, 2, 3, 1).flatten(1, 2)
        deltas = F.softplus(self.bbox_pred(feat)).permute(0, 2, 3, 1).flatten(1, 2)
        locs = self.locations(h, w)
        if not self.training:
            return [self.inference_single(locs, lo.float(), de.float()) for lo, de in zip(logits, deltas)]
        labels, regs = zip(*[self.label(locs, x["boxes"].to(self.device), x["classes"].to(self.device))
                             for x in batched_inputs])
        labels, regs = torch.stack(labels), torch.stack(regs)
        fg = labels < self.num_classes
        num_fg = fg.sum().item()
        get_event_storage().put_scalar("num_pos_per_image", num_fg / len(batched_inputs))
        target = F.one_hot(labels, self.num_classes + 1)[..., :-1].to(logits)
        normalizer = max(num_fg, 1)
        return {
            "loss_cls": sigmoid_focal_loss(logits, target, reduction="sum") / normalizer,
            "loss_box_reg": F.smooth_l1_loss(deltas[fg], regs[fg], reduction="sum") / normalizer,
        }

    def inference_single(self, locs, logits, deltas):
        scores, classes = logits.sigmoid().max(1)
        keep = scores > self.score_thresh
        scores, classes, deltas, locs = scores[keep], classes[keep], deltas[keep] * self.stride, locs[keep]
        boxes = torch.cat([locs - deltas[:, :2], locs + deltas[:, 2:]], 1)
        keep = batched_nms(boxes, scores, classes, self.nms_thresh)[: self.topk]
        return {"boxes": boxes[keep], "scores": scores[keep], "classes": classes[keep]}


class AP50Evaluator:
    def __init__(self, num_classes, iou=0.5):
        self.num_classes, self.iou = num_classes, iou
        self.dets = [[] for _ in range(num_classes)]
        self.n_gt = [0] * num_classes

    def process(self, inputs, outputs):
        for inp, out in zip(inputs, outputs):
            out = {k: v.to("cpu") for k, v in out.items()}
            for c in range(self.num_classes):
                gt = inp["boxes"][inp["classes"] == c]
                m = out["classes"] == c
                boxes, scores = out["boxes"][m], out["scores"][m]
                self.n_gt[c] += len(gt)
                used = set()
                ious = box_iou(boxes, gt) if len(gt) and len(boxes) else None
                for i in scores.argsort(descending=True).tolist():
                    hit = False
                    if ious is not None:
                        j = ious[i].argmax().item()
                        if ious[i, j] >= self.iou and j not in used:
                            used.add(j)
                            hit = True
                    self.dets[c].append((scores[i].item(), hit))

    def evaluate(self):
        aps = []
        for c in range(self.num_classes):
            d = sorted(self.dets[c], reverse=True)
            tp, ap, last_r = 0, 0.0, 0.0
            for n, (_, hit) in enumerate(d, 1):
                tp += hit
                if hit:
                    r = tp / max(self.n_gt[c], 1)
                    ap += (r - last_r) * tp / n
                    last_r = r
            aps.append(ap)
        return {"AP50": sum(aps) / len(aps), "num_dets": float(sum(map(len, self.dets)))}
