"""What a pair costs. The constructors of the base run from here alone."""
import torch
import torch.nn.functional as F

from pairs import PairLoss


class CircleLoss(PairLoss):
    def __init__(self, m=0.4, gamma=80, **kwargs):
        super().__init__(by_mask=True, **kwargs)
        self.m, self.gamma = m, gamma

    def cost(self, sim, positive):
        chosen = sim[positive.bool()]  # sync: dynamic-shape likely
        others = sim[~positive.bool()]  # sync: dynamic-shape likely
        if chosen.numel() == 0:
            return sim.sum() * 0
        return self.gamma * (torch.relu(1 + self.m - chosen).mean() + torch.relu(others + self.m).mean())


class ContrastiveLoss(PairLoss):
    def __init__(self, margin=0.5, **kwargs):
        super().__init__(by_mask=False, **kwargs)
        self.margin = margin

    def cost(self, sim, positive):
        if sim.max() < self.margin:  # sync: tensor-truth likely
            return sim.sum() * 0
        return F.relu(self.margin - sim).mean()
