import torch
import torch.nn.functional as F


def box_area(b):
    return (b[:, 2] - b[:, 0]).clamp(min=0) * (b[:, 3] - b[:, 1]).clamp(min=0)


def box_iou(a, b):
    lt = torch.max(a[:, None, :2], b[None, :, :2])
    rb = torch.min(a[:, None, 2:], b[None, :, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    return inter / (box_area(a)[:, None] + box_area(b)[None] - inter).clamp(min=1e-6)


def nms(boxes, scores, thr):
    """greedy NMS. The matrix is computed on the gpu, the loop is on the cpu"""
    if len(boxes) == 0:
        return torch.zeros(0, dtype=torch.long, device=boxes.device)
    order = scores.argsort(descending=True)
    over = (box_iou(boxes[order], boxes[order]) > thr).cpu().numpy()
    dead = over[0] & False
    keep = []
    for i in range(len(over)):
        if dead[i]:
            continue
        keep.append(i)
        dead = dead | over[i]
    return order[torch.tensor(keep, device=boxes.device)]


def batched_nms(boxes, scores, labels, thr):
    # trick: shift every class to its own region
    offset = labels.float()[:, None] * (boxes.max() + 1) if len(boxes) else 0
    return nms(boxes + offset, scores, thr)


def encode(gt, anchors, w=(10., 10., 5., 5.)):
    aw, ah = anchors[:, 2] - anchors[:, 0], anchors[:, 3] - anchors[:, 1]
    ax, ay = anchors[:, 0] + aw / 2, anchors[:, 1] + ah / 2
    gw, gh = gt[:, 2] - gt[:, 0], gt[:, 3] - gt[:, 1]
    gx, gy = gt[:, 0] + gw / 2, gt[:, 1] + gh / 2
    return torch.stack([w[0] * (gx - ax) / aw, w[1] * (gy - ay) / ah,
                        w[2] * torch.log(gw / aw), w[3] * torch.log(gh / ah)], dim=1)


def decode(d, anchors, size, w=(10., 10., 5., 5.)):
    aw, ah = anchors[:, 2] - anchors[:, 0], anchors[:, 3] - anchors[:, 1]
    ax, ay = anchors[:, 0] + aw / 2, anchors[:, 1] + ah / 2
    x, y = d[:, 0] / w[0] * aw + ax, d[:, 1] / w[1] * ah + ay
    bw = (d[:, 2] / w[2]).clamp(max=3.).exp() * aw
    bh = (d[:, 3] / w[3]).clamp(max=3.).exp() * ah
    return torch.stack([x - bw / 2, y - bh / 2, x + bw / 2, y + bh / 2], dim=1).clamp(0, size)


def make_anchors(fsize, stride, scales, ratios, device):
    c = (torch.arange(fsize, device=device) + 0.5) * stride
    cy, cx = torch.meshgrid(c, c, indexing='ij')
    base = []
    for s in scales:
        for r in ratios:
            h, w = s * r ** 0.5, s / r ** 0.5
            base.append([-w / 2, -h / 2, w / 2, h / 2])
    base = torch.tensor(base, device=device)
    ctr = torch.stack([cx, cy, cx, cy], dim=-1).reshape(-1, 1, 4)
    return (ctr + base).reshape(-1, 4)          # order: (y, x, anchor)


def roi_grid(rois, out, H, W):
    """sampling grid for F.grid_sample, one sample per bin. rois K,4 in pixels of the map"""
    t = (torch.arange(out, device=rois.device) + 0.5) / out
    xs = rois[:, 0:1] + (rois[:, 2:3] - rois[:, 0:1]) * t    # K,out
    ys = rois[:, 1:2] + (rois[:, 3:4] - rois[:, 1:2]) * t
    gx = (xs / W * 2 - 1)[:, None, :].expand(-1, out, -1)
    gy = (ys / H * 2 - 1)[:, :, None].expand(-1, -1, out)
    return torch.stack([gx, gy], dim=-1)


def roi_align(feat, rois, out, scale):
    """feat C,H,W, rois K,4 in image pixels -> K,C,out,out"""
    C, H, W = feat.shape
    grid = roi_grid(rois * scale, out, H, W)
    return F.grid_sample(feat[None].expand(len(rois), -1, -1, -1), grid, align_corners=False)


def roi_align_each(maps, rois, out):
    """like above but each roi has its own map: maps K,H,W"""
    grid = roi_grid(rois, out, *maps.shape[-2:])
    return F.grid_sample(maps[:, None], grid, align_corners=False)[:, 0]
