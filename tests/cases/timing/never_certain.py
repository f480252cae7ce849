# options: --min-confidence possible
"""A clock that is read unsynchronised is never certain; around what runs once it is only possible where something in between
has waited."""
import time

import torch
from torch import nn


def forward_only(model, x):
    start = time.time()
    model(x)
    print(time.time() - start)  # sync: timer-unsynced likely


def with_a_look(model, x):
    start = time.time()
    print(model(x).sum().item())
    model(x)
    print(time.time() - start)  # sync: timer-unsynced possible


if __name__ == "__main__":
    with_a_look(nn.Linear(8, 8).cuda(), torch.rand(8, 8).cuda())
    forward_only(nn.Linear(8, 8).cuda(), torch.rand(8, 8).cuda())
