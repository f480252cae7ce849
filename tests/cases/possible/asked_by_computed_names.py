# options: --min-confidence possible
"""Private methods that nothing names, where methods are asked for by names that are put together: not left over."""
import torch


class Augment:
    """Its parts are asked for by names that are put together."""

    def __init__(self, chosen):
        self.chosen = chosen

    def __call__(self, image: torch.Tensor):
        for name in self.chosen:
            image = _by_name(self, name)(image)
        return image

    def _erase(self, image: torch.Tensor):
        return image[image.cuda() > 0]  # sync: dynamic-shape likely


def _by_name(owner, name: str):
    return getattr(owner, f"_{name}")
