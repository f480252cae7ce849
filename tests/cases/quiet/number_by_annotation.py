"""An argument out of a configuration, annotated as a number or None, is that: no list is sent as an index."""
import torch
import torch.nn as nn


class Score(nn.Module):
    def __init__(self, true_id: int, false_id: int | None = None):
        super().__init__()
        self.true_id = true_id
        self.false_id = false_id

    def forward(self, logits):
        if self.false_id is None:
            return logits[:, self.true_id]
        return logits[:, self.true_id] - logits[:, self.false_id]


CONFIG = {"false_id": 4, "layers": [1, 2]}


def load(name):
    return Score(4, CONFIG[name])


model = load(input()).cuda()
for step in range(10):
    scores = model(torch.randn(4, 8, device="cuda"))
