# options: --min-confidence possible
"""A private function that nothing in the program names is left over. One that is named in a text may be asked for by it, and
one of a class with a base out of sight may be called there."""
import torch
from torch import nn
from elsewhere import Base


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


class Layer(Base):
    def _load_hook(self, scores: torch.Tensor):
        return scores[scores.cuda() > 0.5]  # sync: dynamic-shape likely


class Attention(nn.Module):
    """Of private methods, torch.nn.Module calls those on its page only."""

    def _shift(self, scores: torch.Tensor):
        return scores[scores.cuda() > 0.5]

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        self.scale = self.scale.cuda()
        torch.cuda.synchronize()  # sync: explicit-sync likely

    def __watch(self):
        for parameter in self.parameters():
            parameter.register_hook(self.__show)

    def __show(self, grad):
        print(grad.norm().item())  # sync: host-read possible


def _expand_segments(scores: torch.Tensor, kept: torch.Tensor):
    scores = scores.cuda()
    return scores[scores > 0], kept.tolist()  # sync: dynamic-shape possible


def _count_down(scores: torch.Tensor, left: int):
    """Mentioned by itself alone, and by what nothing mentions."""
    scores = scores.cuda()
    print(scores.tolist())  # sync: host-read possible
    return _count_down(scores[1:], left - 1) if left else scores


def _count_twice(scores: torch.Tensor):
    return _count_down(scores, 1) + _count_down(scores, 2)
