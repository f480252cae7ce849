"""The one program that imports this makes the GPU its default device in a function of a helper."""
import torch


def smoothed(logits, target):
    weight = torch.tensor([1.0, 2.0])  # sync: tensor-from-host
    loss = torch.nn.functional.cross_entropy(logits, target, weight)
    if loss > 100:  # sync: tensor-truth
        loss = loss / 2
    return loss
