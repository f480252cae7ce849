"""Settings that a forward is given beside tensors: what is computed of them is a number."""
import torch
import torch.nn.functional as F
from torch import nn


class ProposalLoss(nn.Module):
    def completeness(self, score, index, positive, ratio):
        kept = score[index, :].view(-1, positive)
        hard = int(kept.size(0) * ratio)
        return kept.topk(hard, dim=0).values.sum() / float(positive + hard)

    def forward(self, scores, kinds, labels, train_cfg):
        sampler = train_cfg.sampler
        positive = int(sampler.per_video * sampler.positive_ratio)
        chosen = (kinds == 0).nonzero().squeeze(1)  # sync: dynamic-shape
        loss = self.completeness(scores, chosen, positive, sampler.positive_ratio / sampler.per_video)
        if labels.max() > sampler.classes:  # sync: tensor-truth
            loss = loss * train_cfg.loss_weight
        for _ in range(train_cfg.rounds):
            loss = loss + F.cross_entropy(scores, labels)
        return loss
