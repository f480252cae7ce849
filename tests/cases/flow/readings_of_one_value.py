# One value, several readings: after an operation that makes them alike the surest of them counts; and a tensor that may
# be on the GPU already is most often no copy.
import torch
from torch import nn


class Heads:
    def one(self, features):
        return features.long()

    def other(self, features, scale):
        return features.float() * scale


def pick(features, *rest):
    return Heads().other(*rest) if rest else features.long()


def train(model: nn.Module, loader, fast):
    model.cuda()
    heads = Heads()
    state = torch.zeros(8)
    for images in loader:  # on the GPU already
        features = model(images)
        picked = heads.one(features) if fast else pick(features, features, 2.0)
        loss = picked.float().mean()
        print(loss.item())  # sync: host-read
        shown = state.to(features.device)
        state = features.detach().mean(0) + shown


def joined(history, batches, model):
    """What is joined with a GPU tensor is on the GPU, wherever it may be otherwise."""
    kept = torch.zeros(0, 4)
    for batch in batches:
        scores = model.cuda()(batch.cuda(non_blocking=True))
        joined = torch.cat([kept, -scores], dim=-2)
        kept = joined[joined.sum(-1) > 0]  # sync: dynamic-shape
        if (kept > 0).sum() > 0:  # sync: tensor-truth
            history.append(1)
