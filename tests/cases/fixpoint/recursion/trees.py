import torch


class Node:
    def __init__(self, left, right, value):
        self.left = left
        self.right = right
        self.value = value


def fold(node, net):
    if node is None:
        return torch.zeros((), device="cuda")
    here = net(torch.full((1, 4), float(node.value), device="cuda")).sum()
    below = fold(node.left, net) + fold(node.right, net)
    if below > here:  # sync: tensor-truth
        return below
    return here + below


def even(n, t):
    return t if n == 0 else odd(n - 1, t * 2)


def odd(n, t):
    t.cpu()  # sync: copy-to-host
    return -t if n == 0 else even(n - 1, t + 1)


def to_device(batch):
    if isinstance(batch, dict):
        return {key: to_device(value) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [to_device(value) for value in batch]
    return batch.to("cuda")  # sync: copy-to-device
