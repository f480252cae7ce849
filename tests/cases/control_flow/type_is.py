"""`type(x) is dict` says what x is, as isinstance does."""
import sys

import torch


def prepare(obs):
    if type(obs) is dict:
        if 0.5 in obs:
            print("a number for a name")
        for key, value in obs.items():
            obs[key] = value / 255
    elif type(obs) == torch.Tensor:
        print(obs.sum().item())  # sync: host-read
    return obs


frames = torch.ones(8, 3, device="cuda")
several = {name: torch.ones(8, device="cuda") for name in sys.argv}
for step in range(1000):
    frames = frames * 2
    prepare(frames if step % 2 else several)
