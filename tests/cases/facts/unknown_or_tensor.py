# options: --min-confidence possible
"""A tensor by convention or something unknown: possible; a tensor alone: likely."""
import elsewhere
import torch


def report(flag, x: torch.Tensor):
    value = elsewhere.value() if flag else x
    print(float(value))  # sync: host-read likely
    print(float(x))  # sync: host-read likely
