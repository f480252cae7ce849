"""A list of types that holds itself is looked into as deep as types nest, and no deeper."""
import torch

KINDS = [int]
KINDS.append(KINDS)


def read(x):
    if isinstance(x, KINDS):
        return 0
    return torch.sigmoid(x.cuda()).sum().item()  # sync: host-read, copy-to-device


for batch in range(1000):
    print(read(torch.zeros(3)))
