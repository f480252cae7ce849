# Nobody here calls them: torchmetrics' users do, `update` for each batch and `compute` at the end of an epoch.
import torch
import torchmetrics


class Hits(torchmetrics.Metric):
    def __init__(self, ignored=3):
        super().__init__()
        self.add_state("hits", default=torch.tensor(0), dist_reduce_fx="sum")
        self.ignored = ignored

    def update(self, preds, target):
        if (target == self.ignored).sum() > 0:  # sync: tensor-truth
            preds[target == self.ignored] = self.ignored
        self.hits += (preds == target).sum()

    def compute(self):
        return self.hits.item()  # sync: host-read note
