"""What has no such attribute raises where it is asked for it, so behind it a name means one of the others."""
import torch
from torch.utils.data import DataLoader


def norm(weight, hidden):
    kept = hidden.dtype
    variance = hidden.to(torch.float32).pow(2).mean(-1, keepdim=True)
    hidden = hidden * torch.rsqrt(variance + 1e-6)  # is: cuda
    return (weight * hidden).to(kept)


def pick(x, way):
    if way == 1:
        return None
    if way == 2:
        return (x,)
    return x


def rows(found):
    if found.dim() == 2:
        found = found.sum(0)
    if found is None:
        return 0
    return found.tolist()  # sync: host-read


def either(found):
    try:
        return found.sum()
    except AttributeError:
        return found[0].sum().item()  # sync: host-read note


def train(loader, way):
    weight = torch.ones(3).cuda()
    for b in loader:
        b = b.cuda(non_blocking=True)
        norm(weight, pick(b, way)).sum().backward()
        rows(pick(b, way))
        either(pick(b, way))


train(DataLoader([], pin_memory=True), len(__file__))
