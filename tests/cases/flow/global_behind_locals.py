"""A device that a function sets as global, behind as many of its own as a vector holds before it grows."""
import torch


def setup():
    a = b = c = d = e = f = g = h = 0
    global dev
    dev = torch.device("cuda")


setup()
for step in range(100):
    x = torch.zeros(3, device=dev)
    x.sum().item()  # sync: host-read
