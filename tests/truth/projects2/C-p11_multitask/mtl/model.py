from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ConvBlock(nn.Module):
    def __init__(self, i: int, o: int, stride: int = 1):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.GELU(),
            nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o))
        self.skip = nn.Conv2d(i, o, 1, stride, bias=False) if (i != o or stride != 1) else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        return F.gelu(self.conv(x) + self.skip(x))


class TaskAttention(nn.Module):
    """MTAN-like soft mask on shared features"""

    def __init__(self, c: int):
        super().__init__()
        self.mask = nn.Sequential(nn.Conv2d(c, c // 2, 1), nn.GELU(), nn.Conv2d(c // 2, c, 1), nn.Sigmoid())

    def forward(self, x: Tensor) -> Tensor:
        return x * self.mask(x)


class Head(nn.Module):
    def __init__(self, chs: list[int], out: int):
        super().__init__()
        self.att = nn.ModuleList(TaskAttention(c) for c in chs)
        self.lat = nn.ModuleList(nn.Conv2d(c, chs[0], 1) for c in chs)
        self.out = nn.Sequential(ConvBlock(chs[0], chs[0]), nn.Conv2d(chs[0], out, 1))

    def forward(self, feats: list[Tensor]) -> Tensor:
        y = None
        for f, a, l in reversed(list(zip(feats, self.att, self.lat))):
            f = l(a(f))
            y = f if y is None else f + F.interpolate(y, size=f.shape[-2:], mode="bilinear", align_corners=False)
        return self.out(y)


class MultiTaskNet(nn.Module):
    def __init__(self, tasks: dict[str, int], ch: int = 32):
        super().__init__()
        chs = [ch, 2 * ch, 4 * ch]
        self.stem = ConvBlock(3, ch)
        self.stages = nn.ModuleList([ConvBlock(ch, ch), ConvBlock(ch, 2 * ch, 2), ConvBlock(2 * ch, 4 * ch, 2)])
        self.heads = nn.ModuleDict({t: Head(chs, o) for t, o in tasks.items()})

    @property
    def last_shared(self) -> Tensor:
        return self.stages[-1].conv[3].weight

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        x, feats = self.stem(x), []
        for s in self.stages:
            x = s(x)
            feats.append(x)
        out = {t: h(feats) for t, h in self.heads.items()}
        if "depth" in out:
            out["depth"] = F.softplus(out["depth"])
        if "normal" in out:
            out["normal"] = F.normalize(out["normal"].float(), dim=1)
        return out
