"""A call whose argument has no value yet gives none: what a function gives back hangs not on how often it was looked at."""
import torch


def deepest(x, depth):
    if depth:
        found = deepest(x, depth - 1)
        half = torch.div(found, 2, rounding_mode="floor")  # is: cuda float scalar
        return half
    return torch.argmax(x.cuda()).float()


def search(x):
    return deepest(x, 3)
