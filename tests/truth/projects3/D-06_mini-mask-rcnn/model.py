import torch
import torch.nn as nn
import torch.nn.functional as F

from boxes import (batched_nms, box_iou, decode, encode, make_anchors, nms, roi_align, roi_align_each)


def conv_bn(i, o, s=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


def sample_pos_neg(is_pos, is_neg, n, pos_frac):
    pos, neg = is_pos.nonzero()[:, 0], is_neg.nonzero()[:, 0]
    n_pos = min(len(pos), int(n * pos_frac))
    n_neg = min(len(neg), n - n_pos)
    pos = pos[torch.randperm(len(pos), device=pos.device)[:n_pos]]
    neg = neg[torch.randperm(len(neg), device=neg.device)[:n_neg]]
    return pos, neg


class MiniMaskRCNN(nn.Module):
    stride = 8

    def __init__(self, n_classes=4, size=96, ch=64):
        super().__init__()
        self.size, self.n_classes = size, n_classes
        self.c1 = nn.Sequential(conv_bn(3, 32, 2), conv_bn(32, 32))
        self.c2 = nn.Sequential(conv_bn(32, ch, 2), conv_bn(ch, ch))
        self.c3 = nn.Sequential(conv_bn(ch, 2 * ch, 2), conv_bn(2 * ch, 2 * ch))
        self.lat2, self.lat3 = nn.Conv2d(ch, ch, 1), nn.Conv2d(2 * ch, ch, 1)
        self.smooth = nn.Conv2d(ch, ch, 3, padding=1)
        self.scales, self.ratios = (16., 24., 36.), (0.6, 1.0, 1.6)
        A = len(self.scales) * len(self.ratios)
        self.rpn_conv = nn.Conv2d(ch, ch, 3, padding=1)
        self.rpn_obj = nn.Conv2d(ch, A, 1)
        self.rpn_box = nn.Conv2d(ch, 4 * A, 1)
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(ch * 49, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.cls = nn.Linear(128, n_classes)
        self.reg = nn.Linear(128, 4 * n_classes)
        self.mask_head = nn.Sequential(
            conv_bn(ch, ch), conv_bn(ch, ch), nn.ConvTranspose2d(ch, ch, 2, 2), nn.ReLU(), nn.Conv2d(ch, n_classes, 1))
        for m in (self.rpn_obj, self.rpn_box, self.cls, self.reg):
            nn.init.normal_(m.weight, std=0.01)
            nn.init.zeros_(m.bias)

    def features(self, x):
        c2 = self.c2(self.c1(x))
        p3 = self.lat3(self.c3(c2))
        p2 = self.smooth(self.lat2(c2) + F.interpolate(p3, scale_factor=2, mode='nearest'))
        return p2, p3       # stride 4 for the rois, stride 8 for the rpn

    def rpn(self, p3):
        B = p3.size(0)
        h = F.relu(self.rpn_conv(p3))
        obj = self.rpn_obj(h).permute(0, 2, 3, 1).reshape(B, -1)
        reg = self.rpn_box(h).permute(0, 2, 3, 1).reshape(B, -1, 4)
        return obj, reg

    @torch.no_grad()
    def proposals(self, obj, reg, anchors, pre=200, post=40):
        out = []
        for o, r in zip(obj, reg):
            s, i = o.topk(min(pre, len(o)))
            b = decode(r[i], anchors[i], self.size)
            ok = ((b[:, 2:] - b[:, :2]) > 3).all(dim=1)
            b, s = b[ok], s[ok]
            out.append(b[nms(b, s, 0.7)[:post]])
        return out

    def rpn_loss(self, obj, reg, anchors, targets):
        lo = lb = 0.
        for o, r, t in zip(obj, reg, targets):
            iou = box_iou(anchors, t['boxes'])
            best, arg = iou.max(dim=1)
            force = iou.argmax(dim=0)           # every gt gets at least one anchor
            best[force] = 1.0
            arg[force] = torch.arange(len(force), device=arg.device)
            pos, neg = sample_pos_neg(best >= 0.6, best < 0.3, 96, 0.5)
            idx = torch.cat([pos, neg])
            y = torch.zeros(len(idx), device=o.device)
            y[:len(pos)] = 1
            lo = lo + F.binary_cross_entropy_with_logits(o[idx], y)
            tgt = encode(t['boxes'][arg[pos]], anchors[pos])
            lb = lb + F.smooth_l1_loss(r[pos], tgt, reduction='sum', beta=1.0) / len(idx)
        return lo / len(targets), lb / len(targets)

    def select_rois(self, props, t):
        boxes = torch.cat([props, t['boxes']])      # add gt, as everybody does
        best, arg = box_iou(boxes, t['boxes']).max(dim=1)
        pos, neg = sample_pos_neg(best >= 0.5, best < 0.5, 32, 0.5)
        idx = torch.cat([pos, neg])
        labels = t['labels'][arg[idx]].clone()
        labels[len(pos):] = 0
        return boxes[idx], labels, arg[pos], len(pos)

    def forward(self, x, targets=None):
        p2, p3 = self.features(x)
        anchors = make_anchors(p3.shape[-1], self.stride, self.scales, self.ratios, x.device)
        obj, reg = self.rpn(p3)
        props = self.proposals(obj.detach(), reg.detach(), anchors)
        if targets is None:
            return self.detect(p2, props)

        losses = dict(zip(('rpn_obj', 'rpn_box'), self.rpn_loss(obj, reg, anchors, targets)))
        rois, labels, box_t, feats, mfeats, mtgt, mlab = [], [], [], [], [], [], []
        for f, p, t in zip(p2, props, targets):
            b, l, gi, n_pos = self.select_rois(p, t)
            rois.append(b)
            labels.append(l)
            bt = torch.zeros_like(b)
            bt[:n_pos] = encode(t['boxes'][gi], b[:n_pos])
            box_t.append(bt)
            feats.append(roi_align(f, b, 7, 0.25))
            mfeats.append(roi_align(f, b[:n_pos], 14, 0.25))
            mtgt.append(roi_align_each(t['masks'][gi], b[:n_pos], 28))
            mlab.append(l[:n_pos])
        labels, box_t, mlab = torch.cat(labels), torch.cat(box_t), torch.cat(mlab)
        h = self.fc(torch.cat(feats))
        losses['cls'] = F.cross_entropy(self.cls(h), labels)
        d = self.reg(h).view(-1, self.n_classes, 4)
        fg = labels.nonzero()[:, 0]
        losses['box'] = F.smooth_l1_loss(d[fg, labels[fg]], box_t[fg], reduction='sum') / max(len(labels), 1)
        m = self.mask_head(torch.cat(mfeats))
        m = m[torch.arange(len(m), device=m.device), mlab]
        losses['mask'] = F.binary_cross_entropy_with_logits(m, (torch.cat(mtgt) > 0.5).float())
        return losses

    @torch.no_grad()
    def detect(self, p2, props, score_thr=0.3, nms_thr=0.4, max_det=8):
        results = []
        for f, p in zip(p2, props):
            h = self.fc(roi_align(f, p, 7, 0.25))
            prob, lab = self.cls(h).softmax(-1)[:, 1:].max(dim=1)
            lab = lab + 1
            d = self.reg(h).view(-1, self.n_classes, 4)[torch.arange(len(p), device=p.device), lab]
            b = decode(d, p, self.size)
            ok = (prob > score_thr) & ((b[:, 2:] - b[:, :2]) > 2).all(dim=1)
            b, prob, lab = b[ok], prob[ok], lab[ok]
            keep = batched_nms(b, prob, lab, nms_thr)[:max_det]
            b, prob, lab = b[keep], prob[keep], lab[keep]
            masks = torch.zeros(len(b), self.size, self.size, dtype=torch.bool, device=b.device)
            if len(b):
                m = self.mask_head(roi_align(f, b, 14, 0.25)).sigmoid()
                m = m[torch.arange(len(b), device=b.device), lab]
                for i, (x0, y0, x1, y1) in enumerate(b.round().long().tolist()):
                    x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)
                    patch = F.interpolate(m[i][None, None], size=(y1 - y0, x1 - x0), mode='bilinear', align_corners=False)
                    h_, w_ = min(y1, self.size) - y0, min(x1, self.size) - x0
                    masks[i, y0:y0 + h_, x0:x0 + w_] = patch[0, 0, :h_, :w_] > 0.5
            results.append({'boxes': b, 'scores': prob, 'labels': lab, 'masks': masks})
        return results
