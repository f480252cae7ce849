"""Checks that read their condition, and a GPU scalar sought in a list."""
import torch


def check(condition, message):
    if isinstance(condition, torch.Tensor):
        torch._check_tensor_all_with(ValueError, condition, lambda: message)  # sync: tensor-truth
    else:
        torch._check_with(ValueError, condition, lambda: message)


def merge(batches, model, things):
    for batch in batches:
        labels = model.cuda()(batch.cuda(non_blocking=True)).argmax(-1)
        check((labels >= 0).all(), "negative label")
        check(len(batch) > 0, "empty")
        torch._check_tensor_all(labels < 80)  # sync: tensor-truth
        for label in labels:
            if label in [0, 1, 2]:  # sync: tensor-truth
                yield label
            if label in things:
                yield label
