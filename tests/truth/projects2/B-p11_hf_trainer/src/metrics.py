import numpy as np

from .data import LABELS


def confusion(preds, labels, n):
    m = np.zeros((n, n), dtype=np.int64)
    for p, l in zip(preds, labels):
        m[l, p] += 1
    return m


def expected_calibration_error(probs, labels, bins=10):
    conf, preds = probs.max(-1), probs.argmax(-1)
    edges = np.linspace(0, 1, bins + 1)
    ece = 0.0
    for lo, hi in zip(edges[:-1], edges[1:]):
        sel = (conf > lo) & (conf <= hi)
        if sel.any():
            ece += sel.mean() * abs((preds[sel] == labels[sel]).mean() - conf[sel].mean())
    return ece


def compute_metrics(eval_pred):
    logits, labels = eval_pred.predictions, eval_pred.label_ids
    if isinstance(logits, tuple):
        logits = logits[0]
    logits = logits.astype(np.float64)
    e = np.exp(logits - logits.max(-1, keepdims=True))
    probs = e / e.sum(-1, keepdims=True)
    preds = probs.argmax(-1)
    m = confusion(preds, labels, len(LABELS))
    tp = np.diag(m)
    precision = tp / np.maximum(m.sum(0), 1)
    recall = tp / np.maximum(m.sum(1), 1)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
    out = {"accuracy": float((preds == labels).mean()), "macro_f1": float(f1.mean()),
           "ece": float(expected_calibration_error(probs, labels))}
    out.update({f"f1_{name}": float(v) for name, v in zip(LABELS, f1)})
    return out
