import numpy as np
import torch
from torchvision.ops import box_iou


class APEvaluator:
    """AP at one IoU threshold, per class (VOC style, all points)"""

    def __init__(self, num_classes, iou_thresh=0.5):
        self.num_classes, self.iou_thresh = num_classes, iou_thresh
        self.reset()

    def reset(self):
        self.dets = [[] for _ in range(self.num_classes)]
        self.npos = [0] * self.num_classes

    def process(self, inputs, outputs):
        for inp, out in zip(inputs, outputs):
            boxes, scores, classes = out["boxes"].cpu(), out["scores"].cpu(), out["classes"].cpu()
            for c in range(self.num_classes):
                gt = inp["gt_boxes"][inp["gt_classes"] == c]
                self.npos[c] += len(gt)
                sel = classes == c
                b, s = boxes[sel], scores[sel]
                used = set()
                for k in torch.argsort(s, descending=True).tolist():
                    tp = 0
                    if len(gt):
                        iou = box_iou(b[k][None], gt)[0]
                        best = int(iou.argmax())
                        if iou[best] >= self.iou_thresh and best not in used:
                            used.add(best)
                            tp = 1
                    self.dets[c].append((s[k].item(), tp))

    def evaluate(self):
        aps = []
        for c in range(self.num_classes):
            if self.npos[c] == 0:
                continue
            d = sorted(self.dets[c], key=lambda x: -x[0])
            tp = np.cumsum([x[1] for x in d]) if d else np.zeros(1)
            rec = tp / self.npos[c]
            prec = tp / np.arange(1, len(tp) + 1)
            prec = np.maximum.accumulate(prec[::-1])[::-1]
            aps.append(float(np.sum(np.diff(np.concatenate([[0.0], rec])) * prec)))
        return {"AP50": 100 * float(np.mean(aps)) if aps else 0.0}
