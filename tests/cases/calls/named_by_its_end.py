"""Which method is called hangs on a word in its name: at its beginning, its end or in the middle."""
import torch
from torch import nn


class Reducer(nn.Module):
    def forward(self, losses, kind):
        self.check(losses, kind)
        reduce = getattr(self, "{}_reduction".format(kind))
        scale = getattr(self, f"{kind}_scale")()
        return reduce(losses) * scale * getattr(self, "weight_" + kind)

    def check(self, losses, kind):
        getattr(self, "check_{}_sizes".format(kind))(losses)


class KeptReducer(Reducer):
    weight_pair, weight_element = 1.0, 2.0

    def __init__(self, low=0.0):
        super().__init__()
        self.low = low

    def check_pair_sizes(self, losses):
        assert losses.dim() == 1

    def check_element_sizes(self, losses):
        assert losses.isfinite().all()  # sync: tensor-truth certain

    def pair_scale(self):
        return 0.5 if self.low > 0 else 1.0

    def element_scale(self):
        return 1.0

    def pair_reduction(self, losses):
        kept = losses[losses > self.low]  # sync: dynamic-shape certain
        return kept.mean() if len(kept) else losses.sum() * 0

    def element_reduction(self, losses):
        if torch.isnan(losses).any():  # sync: tensor-truth certain
            return losses.sum() * 0
        return losses.mean()


class Trainer:
    def __init__(self, model, optimizer, reducer: KeptReducer, kind):
        self.model, self.optimizer, self.reducer, self.kind = model.cuda(), optimizer, reducer, kind

    def train(self, loader):
        for x, y in loader:
            losses = (self.model(x.cuda(non_blocking=True)) - y.cuda(non_blocking=True)).square().mean(1)
            self.optimizer.zero_grad()
            self.reducer(losses, self.kind).backward()
            self.optimizer.step()
