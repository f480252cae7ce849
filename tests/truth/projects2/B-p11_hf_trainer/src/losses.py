import torch
import torch.nn as nn
import torch.nn.functional as F


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, weight=None):
        super().__init__()
        self.gamma = gamma
        self.register_buffer("weight", weight)

    def forward(self, logits, target):
        logp = F.log_softmax(logits.float(), dim=-1)
        ce = F.nll_loss(logp, target, weight=self.weight, reduction="none")
        pt = logp.gather(1, target[:, None]).squeeze(1).exp()
        return ((1 - pt) ** self.gamma * ce).mean()


class LogitAdjustedLoss(nn.Module):
    """Menon et al. 2021"""

    def __init__(self, prior, tau=1.0):
        super().__init__()
        self.register_buffer("adjust", tau * torch.log(prior))

    def forward(self, logits, target):
        return F.cross_entropy(logits.float() + self.adjust, target)


def symmetric_kl(p, q):
    p, q = F.log_softmax(p.float(), -1), F.log_softmax(q.float(), -1)
    return 0.5 * (F.kl_div(p, q, log_target=True, reduction="batchmean") +
                  F.kl_div(q, p, log_target=True, reduction="batchmean"))


def build_loss(name, labels, num_labels):
    counts = torch.bincount(torch.tensor(labels), minlength=num_labels).float().clamp(min=1)
    if name == "focal":
        w = counts.sum() / (num_labels * counts)
        return FocalLoss(weight=w.clamp(max=4.0))
    if name == "logit_adjusted":
        return LogitAdjustedLoss(counts / counts.sum())
    return nn.CrossEntropyLoss()
