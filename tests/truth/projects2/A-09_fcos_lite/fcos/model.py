import math

import torch
import torch.nn.functional as F
from torch import nn
from torchvision.ops import batched_nms, box_iou, sigmoid_focal_loss

INF = 1e8


def conv_gn(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.GroupNorm(8, o), nn.ReLU(inplace=True))


class Backbone(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.stem = nn.Sequential(conv_gn(3, 32, 2), conv_gn(32, 48, 2))
        self.c3 = nn.Sequential(conv_gn(48, ch, 2), conv_gn(ch, ch))
        self.c4 = nn.Sequential(conv_gn(ch, ch * 2, 2), conv_gn(ch * 2, ch * 2))
        self.c5 = nn.Sequential(conv_gn(ch * 2, ch * 2, 2), conv_gn(ch * 2, ch * 2))
        self.lat = nn.ModuleList([nn.Conv2d(c, ch, 1) for c in (ch, ch * 2, ch * 2)])
        self.out = nn.ModuleList([nn.Conv2d(ch, ch, 3, padding=1) for _ in range(3)])

    def forward(self, x):
        c3 = self.c3(self.stem(x))
        c4 = self.c4(c3)
        c5 = self.c5(c4)
        p5 = self.lat[2](c5)
        p4 = self.lat[1](c4) + F.interpolate(p5, scale_factor=2.0, mode="nearest")
        p3 = self.lat[0](c3) + F.interpolate(p4, scale_factor=2.0, mode="nearest")
        return [o(p) for o, p in zip(self.out, (p3, p4, p5))]


class Scale(nn.Module):
    def __init__(self, init_value=1.0):
        super().__init__()
        self.scale = nn.Parameter(torch.FloatTensor([init_value]))

    def forward(self, input):
        return input * self.scale


class IOULoss(nn.Module):
    def forward(self, pred, target, weight=None):
        """pred, target: N x 4 as l, t, r, b"""
        area = lambda b: (b[:, 0] + b[:, 2]) * (b[:, 1] + b[:, 3])
        w = torch.min(pred[:, 0], target[:, 0]) + torch.min(pred[:, 2], target[:, 2])
        h = torch.min(pred[:, 1], target[:, 1]) + torch.min(pred[:, 3], target[:, 3])
        inter = w * h
        union = area(pred) + area(target) - inter
        losses = -torch.log((inter + 1.0) / (union + 1.0))
        if weight is not None and weight.sum() > 0:
            return (losses * weight).sum()
        return losses.sum()


class FCOS(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        m = cfg.MODEL
        self.cfg = m
        self.num_classes = m.NUM_CLASSES
        self.strides = m.STRIDES
        soi, prev = [], -1
        for s in m.SIZES_OF_INTEREST:
            soi.append([prev, s])
            prev = s
        soi.append([prev, INF])
        self.sizes_of_interest = soi
        ch = m.CHANNELS
        self.backbone = Backbone(ch)
        self.cls_tower = nn.Sequential(*[conv_gn(ch, ch) for _ in range(m.NUM_CONVS)])
        self.bbox_tower = nn.Sequential(*[conv_gn(ch, ch) for _ in range(m.NUM_CONVS)])
        self.cls_logits = nn.Conv2d(ch, m.NUM_CLASSES, 3, padding=1)
        self.bbox_pred = nn.Conv2d(ch, 4, 3, padding=1)
        self.ctrness = nn.Conv2d(ch, 1, 3, padding=1)
        self.scales = nn.ModuleList([Scale(1.0) for _ in self.strides])
        self.iou_loss = IOULoss()
        for mod in [self.cls_tower, self.bbox_tower, self.cls_logits, self.bbox_pred, self.ctrness]:
            for layer in mod.modules():
                if isinstance(layer, nn.Conv2d):
                    nn.init.normal_(layer.weight, std=0.01)
                    if layer.bias is not None:
                        nn.init.constant_(layer.bias, 0)
        nn.init.constant_(self.cls_logits.bias, -math.log((1 - 0.01) / 0.01))
        self.register_buffer("pixel_mean", torch.tensor([0.3, 0.3, 0.3]).view(3, 1, 1))

    @property
    def device(self):
        return self.pixel_mean.device

    def forward(self, batched_inputs):
        images = torch.stack([x["image"].to(self.device) - self.pixel_mean for x in batched_inputs])
        features = self.backbone(images)
        logits, reg, ctr, locations = [], [], [], []
        for l, f in enumerate(features):
            c, b = self.cls_tower(f), self.bbox_tower(f)
            flat = lambda t: t.permute(0, 2, 3, 1).reshape(t.shape[0], -1, t.shape[1])
            logits.append(flat(self.cls_logits(c)))
            reg.append(flat(F.relu(self.scales[l](self.bbox_pred(b)))) * self.strides[l])
            ctr.append(flat(self.ctrness(b)).squeeze(-1))
            locations.append(self.compute_locations(f.shape[-2], f.shape[-1], self.strides[l]))
        if self.training:
            return self.losses(logits, reg, ctr, locations, batched_inputs)
        return self.inference(logits, reg, ctr, locations, images.shape[-2:])

    def compute_locations(self, h, w, stride):
        shifts_x = torch.arange(0, w * stride, step=stride, dtype=torch.float32, device=self.device)
        shifts_y = torch.arange(0, h * stride, step=stride, dtype=torch.float32, device=self.device)
        shift_y, shift_x = torch.meshgrid(shifts_y, shifts_x, indexing="ij")
        return torch.stack((shift_x.reshape(-1), shift_y.reshape(-1)), dim=1) + stride // 2

    @torch.no_grad()
    def get_targets(self, locations, batched_inputs):
        ranges = torch.cat([torch.tensor(s, dtype=torch.float32).to(self.device)[None].expand(len(l), -1)
                            for s, l in zip(self.sizes_of_interest, locations)])
        strides = torch.cat([torch.full((len(l),), float(s), device=self.device)
                             for s, l in zip(self.strides, locations)])
        locs = torch.cat(locations)
        xs, ys = locs[:, 0], locs[:, 1]
        labels, reg_targets = [], []
        for inp in batched_inputs:
            boxes, classes = inp["gt_boxes"].to(self.device), inp["gt_classes"].to(self.device)
            # no gt
            if boxes.numel() == 0:
                labels.append(torch.full((len(locs),), self.num_classes, dtype=torch.long, device=self.device))
                reg_targets.append(locs.new_zeros((len(locs), 4)))
                continue
            area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
            l = xs[:, None] - boxes[:, 0][None]
            t = ys[:, None] - boxes[:, 1][None]
            r = boxes[:, 2][None] - xs[:, None]
            b = boxes[:, 3][None] - ys[:, None]
            reg = torch.stack([l, t, r, b], dim=2)
            is_in_boxes = reg.min(dim=2)[0] > 0
            # center sampling
            cx, cy = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
            radius = (strides * self.cfg.CENTER_RADIUS)[:, None]
            is_center = ((xs[:, None] - cx).abs() < radius) & ((ys[:, None] - cy).abs() < radius)
            max_reg = reg.max(dim=2)[0]
            cared = (max_reg >= ranges[:, [0]]) & (max_reg <= ranges[:, [1]])
            loc_area = area[None].repeat(len(locs), 1)
            loc_area[~(is_in_boxes & is_center)] = INF
            loc_area[cared == 0] = INF
            # if there are still more than one objects for a location, choose the one with minimal area
            min_area, gt_inds = loc_area.min(dim=1)
            label = classes[gt_inds]
            label[min_area == INF] = self.num_classes
            labels.append(label)
            reg_targets.append(reg[range(len(locs)), gt_inds])
        return torch.cat(labels), torch.cat(reg_targets)

    def losses(self, logits, reg, ctr, locations, batched_inputs):
        labels, reg_targets = self.get_targets(locations, batched_inputs)
        logits = torch.cat(logits, 1).reshape(-1, self.num_classes)
        reg = torch.cat(reg, 1).reshape(-1, 4)
        ctr = torch.cat(ctr, 1).reshape(-1)
        pos_inds = torch.nonzero(labels != self.num_classes).squeeze(1)
        num_pos = max(pos_inds.numel(), 1.0)
        class_target = torch.zeros_like(logits)
        class_target[pos_inds, labels[pos_inds]] = 1
        loss_cls = sigmoid_focal_loss(logits, class_target, alpha=self.cfg.FOCAL_ALPHA, gamma=self.cfg.FOCAL_GAMMA,
                                      reduction="sum") / num_pos
        reg, reg_targets, ctr = reg[pos_inds], reg_targets[pos_inds], ctr[pos_inds]
        if pos_inds.numel() > 0:
            lr, tb = reg_targets[:, [0, 2]], reg_targets[:, [1, 3]]
            ctr_targets = torch.sqrt((lr.min(-1)[0] / lr.max(-1)[0]) * (tb.min(-1)[0] / tb.max(-1)[0]))
            loss_denorm = max(ctr_targets.sum().item(), 1e-6)
            loss_reg = self.iou_loss(reg, reg_targets, ctr_targets) / loss_denorm
            loss_ctr = F.binary_cross_entropy_with_logits(ctr, ctr_targets, reduction="sum") / num_pos
        else:
            loss_reg, loss_ctr = reg.sum() * 0, ctr.sum() * 0
        return {"loss_fcos_cls": loss_cls, "loss_fcos_loc": loss_reg, "loss_fcos_ctr": loss_ctr}

    def inference(self, logits, reg, ctr, locations, image_size):
        results = []
        for i in range(logits[0].shape[0]):
            boxes, scores, classes = [], [], []
            for lg, rg, ct, loc in zip(logits, reg, ctr, locations):
                prob = lg[i].sigmoid()
                candidate = prob > self.cfg.SCORE_THRESH
                prob = prob * ct[i].sigmoid()[:, None]
                s = prob[candidate]
                nz = candidate.nonzero()
                loc_i, cls_i = nz[:, 0], nz[:, 1]
                if s.numel() > self.cfg.PRE_NMS_TOPK:
                    s, top = s.topk(self.cfg.PRE_NMS_TOPK, sorted=False)
                    loc_i, cls_i = loc_i[top], cls_i[top]
                p, d = loc[loc_i], rg[i][loc_i]
                boxes.append(torch.stack([p[:, 0] - d[:, 0], p[:, 1] - d[:, 1], p[:, 0] + d[:, 2], p[:, 1] + d[:, 3]], 1))
                scores.append(torch.sqrt(s))
                classes.append(cls_i)
            boxes, scores, classes = torch.cat(boxes), torch.cat(scores), torch.cat(classes)
            boxes[:, 0::2] = boxes[:, 0::2].clamp(0, image_size[1])
            boxes[:, 1::2] = boxes[:, 1::2].clamp(0, image_size[0])
            keep = batched_nms(boxes, scores, classes, self.cfg.NMS_THRESH)[:self.cfg.POST_NMS_TOPK]
            results.append({"boxes": boxes[keep], "scores": scores[keep], "classes": classes[keep]})
        return results
