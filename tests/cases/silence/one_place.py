# options: --min-confidence possible
"""Tensors that meet are in one place unless something says that one is on the CPU."""
import torch


def clip(values, limits):
    usable = torch.isfinite(values.detach())
    limits = limits.to(values.device)
    values[0] = limits[0] * 2.0
    return torch.where(usable, values, torch.ones_like(values)).type_as(limits)


def count(output, target):
    hits = torch.zeros(len(output))
    for i in range(len(output)):
        hits[i] = (torch.argmax(output[i]) == torch.argmax(target[i])).sum()  # sync: copy-to-host possible
    return hits


def sizes(shapes, device):
    shapes = torch.as_tensor(shapes, dtype=torch.long, device=device)
    return shapes.prod(1)


class Centres(torch.nn.Module):
    def order_by(self, distances):
        self.rows = distances.unsqueeze(0).flatten().argsort()

    def forward(self, x):
        return x[self.rows].mean()
