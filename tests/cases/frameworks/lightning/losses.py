import torch
from torch import nn


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, target):
        p = logits.softmax(-1).gather(1, target[:, None])
        if (p < 1e-6).any():  # sync: tensor-truth
            p = p.clamp(min=1e-6)
        return (-(1 - p) ** self.gamma * p.log()).mean()
