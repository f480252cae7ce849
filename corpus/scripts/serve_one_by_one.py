"""Keypoint model applied image by image, the way many demo scripts do it."""
import glob
import json
import os
import tempfile
import time

import numpy as np
import torch
import torchvision.transforms.functional as TF
from torch import nn

NUM_KEYPOINTS = 5
IMAGE_COUNT = int(os.environ.get("IMAGE_COUNT", 200))
MIN_SCORE = 0.002
device = "cuda" if torch.cuda.is_available() else "cpu"


class KeypointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(),
            nn.Conv2d(32, NUM_KEYPOINTS, 1),
        )

    def forward(self, x):
        return self.features(x)


def write_images(folder, count):
    rng = np.random.default_rng(0)
    for i in range(count):
        np.save(os.path.join(folder, f"{i:04d}.npy"), rng.integers(0, 255, (64, 64, 3), dtype=np.uint8))


def load_image(path):
    img = np.load(path).astype(np.float32) / 255.0
    if img.mean() < 0.01:
        img = np.ones_like(img)
    return np.ascontiguousarray(img.transpose(2, 0, 1))


def preprocess(path):
    x = torch.from_numpy(load_image(path))
    x = TF.normalize(x, [0.5] * 3, [0.25] * 3)
    return x.unsqueeze(0).to(device)  # sync: copy-to-device


def preprocess_on_gpu(path):
    x = torch.as_tensor(load_image(path), device=device)  # sync: tensor-from-host
    x = TF.normalize(x, [0.5] * 3, [0.25] * 3)  # sync: library-wait
    return x[None]


def soft_argmax(heatmap):
    h, w = heatmap.shape[-2:]
    p = heatmap.flatten(1).softmax(-1).view_as(heatmap)
    xs = torch.arange(w, device=heatmap.device, dtype=p.dtype)
    ys = torch.arange(h, device=heatmap.device, dtype=p.dtype)
    return torch.stack([(p.sum(1) * xs).sum(-1), (p.sum(2) * ys).sum(-1)], -1), p.flatten(1).max(-1).values


def decode(heatmaps):
    keypoints = []
    coords, scores = soft_argmax(heatmaps[0])
    for k in range(NUM_KEYPOINTS):
        if scores[k] < MIN_SCORE:  # sync: tensor-truth
            continue
        x, y = coords[k].tolist()  # sync: host-read
        keypoints.append({"id": k, "x": 4 * x, "y": 4 * y, "score": float(scores[k])})  # sync: host-read
    return keypoints


def decode_at_once(heatmaps):
    coords, scores = soft_argmax(heatmaps[0])
    packed = torch.cat([coords, scores[:, None]], 1).cpu()  # sync: copy-to-host
    keypoints = []
    for k, (x, y, s) in enumerate(packed.tolist()):
        if s >= MIN_SCORE:
            keypoints.append({"id": k, "x": 4 * x, "y": 4 * y, "score": s})
    return keypoints


def run(paths, model, prepare, decoder):
    results, elapsed = {}, []
    start_evt = torch.cuda.Event(enable_timing=True)
    end_evt = torch.cuda.Event(enable_timing=True)
    with torch.no_grad():
        for path in paths:
            t0 = time.time()
            x = prepare(path)
            start_evt.record()
            heatmaps = model(x)
            end_evt.record()
            end_evt.synchronize()  # sync: explicit-sync
            gpu_ms = start_evt.elapsed_time(end_evt)
            keypoints = decoder(heatmaps)
            elapsed.append((time.time() - t0, gpu_ms))
            results[os.path.basename(path)] = keypoints
    total, gpu = np.array(elapsed).sum(0)
    print(f"{decoder.__name__}: {len(paths)} images, {total:.2f}s in all, {gpu:.1f}ms on the GPU")
    return results


def main():
    torch.manual_seed(0)
    model = KeypointNet().to(device).eval()
    dummy = torch.randn(1, 3, 64, 64).to(device)
    with torch.no_grad():
        out = model(dummy)
    print("heatmap size", tuple(out.shape), "mean", out.mean().item())
    with tempfile.TemporaryDirectory() as folder:
        write_images(folder, IMAGE_COUNT)
        paths = sorted(glob.glob(os.path.join(folder, "*.npy")))
        slow = run(paths, model, preprocess, decode)
        fast = run(paths, model, preprocess_on_gpu, decode_at_once)
        found = sum(len(v) for v in slow.values())
        print("keypoints", found, sum(len(v) for v in fast.values()))
        with open(os.path.join(folder, "out.json"), "w") as f:
            json.dump(slow, f)


if __name__ == "__main__":
    main()
