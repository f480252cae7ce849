import torch
import torch.nn as nn
import torch.nn.functional as F

from .registry import register_model


def drop_path(x, drop_prob: float = 0., training: bool = False):
    if drop_prob == 0. or not training:
        return x
    keep_prob = 1 - drop_prob
    shape = (x.shape[0],) + (1,) * (x.ndim - 1)
    random_tensor = x.new_empty(shape).bernoulli_(keep_prob)
    if keep_prob > 0.0:
        random_tensor.div_(keep_prob)
    return x * random_tensor


class DropPath(nn.Module):
    def __init__(self, drop_prob: float = 0.):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training)


class SparseGate(nn.Module):
    """Keeps the tokens that score above a learned threshold."""

    def __init__(self, dim):
        super().__init__()
        self.score = nn.Linear(dim, 1)
        self.threshold = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        s = self.score(x.mean((2, 3))).squeeze(-1)
        keep = s > self.threshold
        if not keep.any():  # sync: tensor-truth
            return x
        out = x.clone()
        out[keep] = x[keep] * 2  # sync: dynamic-shape x2
        return out


class Block(nn.Module):
    def __init__(self, dim, drop=0.):
        super().__init__()
        self.conv_dw = nn.Conv2d(dim, dim, 7, padding=3, groups=dim)
        self.norm = nn.GroupNorm(1, dim)
        self.mlp = nn.Sequential(nn.Conv2d(dim, 4 * dim, 1), nn.GELU(), nn.Conv2d(4 * dim, dim, 1))
        self.drop_path = DropPath(drop) if drop > 0. else nn.Identity()

    def forward(self, x):
        return x + self.drop_path(self.mlp(self.norm(self.conv_dw(x))))


class ConvNet(nn.Module):
    def __init__(self, depths=(2, 2), dims=(32, 64), num_classes=1000, drop_path_rate=0.1):
        super().__init__()
        self.stem = nn.Conv2d(3, dims[0], 4, 4)
        rates = [x.item() for x in torch.linspace(0, drop_path_rate, sum(depths))]
        stages = []
        prev = dims[0]
        for i, (depth, dim) in enumerate(zip(depths, dims)):
            blocks = [nn.Conv2d(prev, dim, 2, 2)] if i else []
            blocks += [Block(dim, rates[j]) for j in range(depth)]
            stages.append(nn.Sequential(*blocks))
            prev = dim
        self.stages = nn.Sequential(*stages)
        self.gate = SparseGate(prev)
        self.head = nn.Linear(prev, num_classes)

    def forward_features(self, x):
        x = self.stem(x)
        x = self.stages(x)
        return self.gate(x)

    def forward_head(self, x, pre_logits: bool = False):
        x = F.adaptive_avg_pool2d(x, 1).flatten(1)
        return x if pre_logits else self.head(x)

    def forward(self, x):
        return self.forward_head(self.forward_features(x))


@register_model
def convnet_tiny(pretrained=False, **kwargs):
    return ConvNet(depths=(2, 2), dims=(48, 96), **kwargs)
