"""Figures out of files: matplotlib with arrays, nothing on a GPU."""
import json
import sys

import matplotlib.pyplot as plt
import numpy as np
import torch


def moving(values, n=50):
    return np.convolve(values, np.ones(n) / n, mode="valid")


def load(path):
    steps, losses, rates = [], [], []
    with open(path) as lines:
        for line in lines:
            row = json.loads(line)
            if "loss" not in row:
                continue
            steps.append(row["step"])
            losses.append(row["loss"])
            rates.append(row.get("lr", 0.0))
    return np.array(steps), np.array(losses), np.array(rates)


def curve(paths, out):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    for path in paths:
        steps, losses, rates = load(path)
        if losses.size == 0 or np.isnan(losses).any():
            print("skipped", path)
            continue
        smooth = moving(losses)
        left.plot(steps[-len(smooth) :], smooth, label=f"{path} ({losses[-1]:.3f})")
        right.plot(steps, rates)
        best = losses.argmin().item()
        left.scatter([steps[best]], [losses[best]])
        print(path, "best", losses.min().item(), "at", int(steps[best]))
    left.legend()
    figure.savefig(out)


def weights(checkpoint, out):
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    names, norms = [], []
    for name, tensor in state["model"].items():
        if tensor.ndim < 2:
            continue
        names.append(name)
        norms.append(tensor.float().norm().item())
    order = np.argsort(norms)[::-1]
    figure, axis = plt.subplots(figsize=(6, 0.2 * len(names) + 1))
    axis.barh([names[i] for i in order], [norms[i] for i in order])
    figure.savefig(out)
    for i in order[:5]:
        print(f"{names[i]:<40}{norms[i]:8.3f}")


def attention(path, out):
    maps = np.load(path)["attention"]
    for layer in range(maps.shape[0]):
        for head in range(maps.shape[1]):
            entropy = -(maps[layer, head] * np.log(maps[layer, head] + 1e-9)).sum(-1)
            if entropy.mean() < 0.1:
                print(layer, head, entropy.mean().item(), entropy.tolist()[:3])
    plt.imsave(out, maps.mean((0, 1)))


if __name__ == "__main__":
    curve(sys.argv[1:], "curve.png")
