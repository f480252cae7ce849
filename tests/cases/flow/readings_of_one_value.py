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
