"""Frames with OpenCV and NumPy: motion, key frames, thumbnails; tensors are made on the CPU and saved."""
import sys

import cv2
import numpy as np
import torch


def frames(path, every=5):
    capture = cv2.VideoCapture(path)
    total = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    for i in range(total):
        ok, frame = capture.read()
        if not ok:
            break
        if i % every == 0:
            yield i, cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)
    capture.release()


def motion(previous, current):
    difference = np.abs(current.astype(np.int16) - previous.astype(np.int16))
    return (difference > 25).mean().item()


def sharpness(frame) -> float:
    grey = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY)
    return cv2.Laplacian(grey, cv2.CV_64F).var().item()


def key_frames(path, limit=32):
    chosen, previous = [], None
    for i, frame in frames(path):
        small = cv2.resize(frame, (64, 36))
        if previous is not None and motion(previous, small) < 0.05:
            continue
        previous = small
        chosen.append((sharpness(frame), i, frame))
        if len(chosen) > 4 * limit:
            chosen = sorted(chosen, key=lambda one: one[0])[-limit:]
    chosen.sort(key=lambda one: one[1])
    return chosen[-limit:]


def to_tensor(frame, size=224):
    height, width = frame.shape[:2]
    scale = size / min(height, width)
    frame = cv2.resize(frame, (round(width * scale), round(height * scale)))
    tensor = torch.from_numpy(frame).permute(2, 0, 1).float().div_(255)
    top, left = (tensor.shape[1] - size) // 2, (tensor.shape[2] - size) // 2
    tensor = tensor[:, top : top + size, left : left + size]
    if not torch.isfinite(tensor).all():
        raise ValueError("bad frame")
    return tensor


def histogram(tensor, bins=16):
    counts = torch.histc(tensor, bins, 0, 1)
    peak = counts.argmax().item()
    return peak, (counts / counts.sum()).tolist()


def main(paths):
    for path in paths:
        chosen = key_frames(path)
        if not chosen:
            continue
        clip = torch.stack([to_tensor(frame) for _, _, frame in chosen])
        mean, std = clip.mean((0, 2, 3)), clip.std((0, 2, 3))
        for sharp, i, _ in chosen:
            print(f"{path} frame {i}: {sharp:.1f}")
        print(mean.tolist(), std.tolist(), histogram(clip)[0])
        torch.save({"clip": clip.half(), "index": [i for _, i, _ in chosen]}, path + ".pt")


main(sys.argv[1:])
