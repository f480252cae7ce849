from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class GeM(nn.Module):
    """Generalised mean pooling (Radenovic et al.) with a learnable exponent."""

    def __init__(self, p: float = 3.0, eps: float = 1e-6) -> None:
        super().__init__()
        self.p = nn.Parameter(torch.tensor(p))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        x = x.float().clamp(min=self.eps).pow(self.p)
        return x.mean(dim=(-2, -1)).pow(1.0 / self.p)


class ResBlock(nn.Module):
    def __init__(self, c_in: int, c_out: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(c_out)
        self.conv2 = nn.Conv2d(c_out, c_out, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(c_out)
        self.skip: nn.Module = nn.Identity()
        if stride != 1 or c_in != c_out:
            self.skip = nn.Sequential(nn.Conv2d(c_in, c_out, 1, stride, bias=False), nn.BatchNorm2d(c_out))

    def forward(self, x: Tensor) -> Tensor:
        h = F.relu(self.bn1(self.conv1(x)), inplace=True)
        h = self.bn2(self.conv2(h))
        return F.relu(h + self.skip(x))


class EmbeddingNet(nn.Module):
    def __init__(self, dim: int = 64, width: int = 32) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)
        )
        self.body = nn.Sequential(
            ResBlock(width, width, 2), ResBlock(width, 2 * width, 2), ResBlock(2 * width, 4 * width, 2)
        )
        self.pool = GeM()
        self.neck = nn.Sequential(nn.Linear(4 * width, dim, bias=False), nn.BatchNorm1d(dim))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x: Tensor) -> Tensor:
        feat = self.pool(self.body(self.stem(x)))
        return F.normalize(self.neck(feat).float(), dim=-1)
