import numpy as np
import torch


def mask_iou(a, b):
    a, b = a.flatten(1).float(), b.flatten(1).float()
    inter = a @ b.t()
    return inter / (a.sum(1)[:, None] + b.sum(1)[None] - inter).clamp(min=1)


def average_precision(results, targets, n_classes, thr=0.5):
    aps = []
    for c in range(1, n_classes):
        scores, tps, n_gt = [], [], 0
        for r, t in zip(results, targets):
            gt = t['masks'][t['labels'] == c]
            n_gt += len(gt)
            sel = (r['labels'] == c).nonzero()[:, 0]
            sel = sel[r['scores'][sel].argsort(descending=True)]
            iou = mask_iou(r['masks'][sel], gt).cpu().numpy() if len(gt) and len(sel) else None
            used = set()
            for k in range(len(sel)):
                scores.append(r['scores'][sel[k]].item())
                hit = 0
                if iou is not None:
                    cand = [(iou[k, j], j) for j in range(len(gt)) if j not in used and iou[k, j] >= thr]
                    if cand:
                        used.add(max(cand)[1])
                        hit = 1
                tps.append(hit)
        if n_gt == 0:
            continue
        if not scores:
            aps.append(0.0)
            continue
        tp = np.cumsum(np.array(tps)[np.argsort(-np.array(scores))])
        rec, prec = tp / n_gt, tp / np.arange(1, len(tp) + 1)
        prec = np.maximum.accumulate(prec[::-1])[::-1]
        grid = np.linspace(0, 1, 101)
        idx = np.searchsorted(rec, grid)
        aps.append(float(np.mean([prec[i] if i < len(prec) else 0.0 for i in idx])))
    return float(np.mean(aps)) if aps else 0.0
