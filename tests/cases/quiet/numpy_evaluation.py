"""Metrics of saved predictions: NumPy and scikit-learn on the host, torch only to read the file."""
import argparse
import json
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import average_precision_score, confusion_matrix, roc_auc_score


def load_predictions(path):
    blob = torch.load(path, map_location="cpu")
    return blob["scores"].numpy(), blob["labels"].numpy(), blob["ids"]


def softmax(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def expected_calibration_error(probs, labels, bins=15):
    confidences = probs.max(1)
    predictions = probs.argmax(1)
    accuracies = predictions == labels
    edges = np.linspace(0, 1, bins + 1)
    ece = 0.0
    for low, high in zip(edges[:-1], edges[1:]):
        inside = (confidences > low) & (confidences <= high)
        if inside.any():
            weight = inside.mean()
            gap = abs(accuracies[inside].mean() - confidences[inside].mean())
            ece += weight * gap.item()
    return float(ece)


def bootstrap(metric, probs, labels, rounds=200, seed=0):
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(rounds):
        pick = rng.integers(0, len(labels), len(labels))
        if len(np.unique(labels[pick])) < 2:
            continue
        values.append(metric(probs[pick], labels[pick]))
    return np.percentile(values, [2.5, 50, 97.5]).tolist()


def per_class(probs, labels):
    rows = []
    for c in range(probs.shape[1]):
        target = (labels == c).astype(np.int64)
        if target.sum() == 0:
            continue
        rows.append({"class": c, "ap": average_precision_score(target, probs[:, c]), "n": int(target.sum())})
    rows.sort(key=lambda r: r["ap"])
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("metrics.json"))
    args = parser.parse_args()
    results = {}
    for file in args.files:
        scores, labels, ids = load_predictions(file)
        probs = softmax(scores)
        accuracy = (probs.argmax(1) == labels).mean().item()
        matrix = confusion_matrix(labels, probs.argmax(1))
        recall = np.diag(matrix) / np.maximum(matrix.sum(1), 1)
        results[file.stem] = {
            "accuracy": accuracy,
            "recall": recall.tolist(),
            "ece": expected_calibration_error(probs, labels),
            "auc": bootstrap(lambda p, t: roc_auc_score(t, p, multi_class="ovr"), probs, labels),
            "classes": per_class(probs, labels),
        }
        print(f"{file.stem}: acc {accuracy:.4f} worst recall {recall.min():.3f} ({len(ids)} samples)")
    args.out.write_text(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
