import torch


def norm_of(grads):
    total = torch.stack([g.norm() for g in grads]).norm()
    return clip(total)


def clip(total):
    if total > 1.0:  # sync: tensor-truth error
        total = total / 2
    return total


def fmt(t):
    return f"{t:.3f}"  # sync: host-read error


def used_elsewhere(t):
    return t.item()  # sync: host-read
