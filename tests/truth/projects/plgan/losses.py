import torch
import torch.nn.functional as F


def d_hinge(real, fake):
    return F.relu(1.0 - real).mean() + F.relu(1.0 + fake).mean()


def g_hinge(fake):
    return -fake.mean()


def d_nonsat(real, fake):
    return F.softplus(-real).mean() + F.softplus(fake).mean()


def g_nonsat(fake):
    return F.softplus(-fake).mean()


LOSSES = {"hinge": (d_hinge, g_hinge), "nonsat": (d_nonsat, g_nonsat)}


def r1_penalty(disc, real, y):
    real = real.detach().requires_grad_(True)
    out = disc(real, y)
    (grad,) = torch.autograd.grad(out.sum(), real, create_graph=True)
    return grad.flatten(1).pow(2).sum(1).mean()
