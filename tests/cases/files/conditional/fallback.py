import torch


def clip_norm(parameters, most):
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = torch.stack([g.norm() for g in gradients]).norm()
    if norm > most:  # sync: tensor-truth
        for g in gradients:
            g.mul_(most / norm)
    return norm
