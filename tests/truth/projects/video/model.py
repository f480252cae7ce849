import torch
from torch import nn


class R2Plus1dBlock(nn.Module):
    def __init__(self, c_in: int, c_out: int, stride: int = 1):
        super().__init__()
        self.spatial = nn.Conv3d(c_in, c_out, (1, 3, 3), (1, stride, stride), (0, 1, 1), bias=False)
        self.temporal = nn.Conv3d(c_out, c_out, (3, 1, 1), padding=(1, 0, 0), bias=False)
        self.bn1, self.bn2 = nn.BatchNorm3d(c_out), nn.BatchNorm3d(c_out)
        self.skip = nn.Conv3d(c_in, c_out, 1, (1, stride, stride)) if stride != 1 or c_in != c_out else nn.Identity()
        self.act = nn.GELU()

    def forward(self, x):
        h = self.act(self.bn1(self.spatial(x)))
        return self.act(self.bn2(self.temporal(h)) + self.skip(x))


class VideoNet(nn.Module):
    def __init__(self, num_classes: int, clip_len: int, dim: int = 64):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.43, 0.39, 0.38]).view(1, 3, 1, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor([0.23, 0.22, 0.22]).view(1, 3, 1, 1, 1), persistent=False)
        self.stages = nn.Sequential(R2Plus1dBlock(3, 16, 2), R2Plus1dBlock(16, 32, 2), R2Plus1dBlock(32, dim, 2))
        self.pos = nn.Parameter(torch.zeros(1, clip_len, dim))
        self.attn = nn.MultiheadAttention(dim, 4, batch_first=True)
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, num_classes)

    def forward(self, clip):
        x = (clip.float() / 255.0 - self.mean) / self.std
        x = self.stages(x).mean(dim=(3, 4)).transpose(1, 2) + self.pos
        x = x + self.attn(self.norm(x), self.norm(x), self.norm(x), need_weights=False)[0]
        return self.fc(x.mean(1))
