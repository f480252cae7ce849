"""What a model gave, by its name and by what only tensors are asked; arrays say axis, and other names say nothing."""
import torch


@torch.no_grad()
def log_stats(pred_logits, gt_classes, storage):
    pred_classes = pred_logits.argmax(dim=1)
    right = (pred_classes == gt_classes).nonzero().numel()  # sync: dynamic-shape
    storage.put("accuracy", right / gt_classes.numel())


def of_arrays(pred_scores, gt_rows):
    best = pred_scores.argmax(axis=1)
    return int((best == gt_rows).sum())


def of_anything(rows, weights):
    kept = rows.sum(dim=1)
    return kept[weights > 0]
