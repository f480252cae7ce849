# options: --min-confidence possible
"""A private function that nothing in the program names is left over. One that is named in a text may be asked for by it, and
one of a class with a base out of sight may be called there."""
import torch
from torch import nn


class Timings:
    def __init__(self, device):
        self.device = torch.device("cuda")
        self.marks = {}

    def _wait(self):
        torch.cuda.synchronize(self.device)

    def _wait_named(self):
        torch.cuda.synchronize(self.device)  # sync: explicit-sync likely

    def wait(self):
        torch.cuda.synchronize(self.device)  # sync: explicit-sync likely

    def by_name(self, kind):
        return getattr(self, "_wait_named")


class Layer(nn.Module):
    def _load_hook(self, scores: torch.Tensor):
        return scores[scores.cuda() > 0.5]  # sync: dynamic-shape likely


def _expand_segments(scores: torch.Tensor, kept: torch.Tensor):
    scores = scores.cuda()
    return scores[scores > 0], kept.tolist()  # sync: dynamic-shape possible
