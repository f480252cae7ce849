"""Called from train.py on every step; nothing in here shows a loop."""
import torch


def accuracy(logits, target):
    return (logits.argmax(dim=1) == target).float().mean().item()  # sync: host-read


def describe(config):
    return {k: float(v) for k, v in config.items()}


def unused(values):
    return [round(v, 3) for v in values]
