import torch
import torch.nn as nn
import torch.nn.functional as F


class Conv(nn.Sequential):
    def __init__(self, i, o, s=1):
        super().__init__(nn.Conv2d(i, o, 3, s, 1), nn.BatchNorm2d(o), nn.ReLU())


class MTLNet(nn.Module):
    HEADS = {"semantic": 4, "depth": 1, "normal": 3}

    def __init__(self, width=16):
        super().__init__()
        self.encoder = nn.Sequential(Conv(3, width), Conv(width, width * 2, 2), Conv(width * 2, width * 2))
        self.shared_out = nn.Conv2d(width * 2, width * 2, 3, 1, 1)
        self.heads = nn.ModuleDict({
            t: nn.Sequential(Conv(width * 2, width), nn.Upsample(scale_factor=2), nn.Conv2d(width, c, 1))
            for t, c in self.HEADS.items()})

    def last_shared_layer(self):
        return self.shared_out

    def shared_parameters(self):
        yield from self.encoder.parameters()
        yield from self.shared_out.parameters()

    def forward(self, x):
        h = F.relu(self.shared_out(self.encoder(x)))
        out = {t: head(h) for t, head in self.heads.items()}
        out["normal"] = F.normalize(out["normal"], dim=1)
        return out


def semantic_loss(p, y):
    return F.cross_entropy(p, y, ignore_index=-1)


def depth_loss(p, y):
    mask = (y > 0).float()
    return (mask * (p - y).abs()).sum() / mask.sum().clamp(min=1)


def normal_loss(p, y):
    return 1 - (p * y).sum(1).mean()


LOSSES = {"semantic": semantic_loss, "depth": depth_loss, "normal": normal_loss}
