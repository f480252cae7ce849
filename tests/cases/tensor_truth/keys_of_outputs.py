# options: --min-confidence possible
"""What is asked for its keys is no tensor, and what is asked how it starts is a string."""
import torch
from torch import nn


class Record:
    def __init__(self, **fields):
        self.fields = fields

    def keys(self):
        return list(self.fields)

    def __repr__(self):
        return f"Record({self.fields}, {torch.ones(3, device='cuda')!r})"


def losses(outputs: list):
    if isinstance(outputs[-1], Record) and outputs[-1].keys() == ["loss"]:
        return outputs[-1].fields["loss"]
    return outputs[-1]


def renamed(state, prefixes):
    kept = {}
    for name, value in state.items():
        if any(name.startswith(prefix) for prefix in prefixes):
            kept["text." + name.lower()] = value
    return kept


def evaluate(model: nn.Module, loader, collected):
    model.cuda()
    for x in loader:
        collected.append(model(x.cuda(non_blocking=True)))
        outputs = [model(x.cuda(non_blocking=True)), collected[-1]]
        losses(outputs)
        renamed(collected[-1], ("a", "b"))
