"""Batched time-series augmentations, all of them run on the device of the input."""
import math

import torch
import torch.nn.functional as F


def jitter(x, sigma=0.08):
    return x + sigma * torch.randn_like(x)


def scale(x, sigma=0.2):
    s = 1.0 + sigma * torch.randn(x.size(0), x.size(1), 1, device=x.device)
    return x * s


def random_rotation(x, max_deg=30.0):
    """Same small 3D rotation on the acc triple and the gyro triple (sensor slipped on the wrist)."""
    b = x.size(0)
    axis = F.normalize(torch.randn(b, 3, device=x.device), dim=1)
    ang = (torch.rand(b, device=x.device) * 2 - 1) * math.radians(max_deg)
    K = torch.zeros(b, 3, 3, device=x.device)
    K[:, 0, 1], K[:, 0, 2] = -axis[:, 2], axis[:, 1]
    K[:, 1, 0], K[:, 1, 2] = axis[:, 2], -axis[:, 0]
    K[:, 2, 0], K[:, 2, 1] = -axis[:, 1], axis[:, 0]
    eye = torch.eye(3, device=x.device).expand(b, 3, 3)
    s = torch.sin(ang)[:, None, None]
    c = torch.cos(ang)[:, None, None]
    R = eye + s * K + (1 - c) * (K @ K)
    return torch.cat([R @ x[:, :3], R @ x[:, 3:]], dim=1)


def random_crop_resize(x, min_frac=0.6):
    """Temporal crop + resample, per sample (grid_sample on a 1-row image)."""
    b, c, t = x.shape
    frac = min_frac + (1 - min_frac) * torch.rand(b, device=x.device)
    start = torch.rand(b, device=x.device) * (1 - frac)
    lin = torch.linspace(0, 1, t, device=x.device)
    pos = start[:, None] + frac[:, None] * lin[None]
    gx = pos * 2 - 1
    grid = torch.stack([gx, torch.zeros_like(gx)], dim=-1).unsqueeze(1)
    return F.grid_sample(x.unsqueeze(2), grid, align_corners=True).squeeze(2)


def time_mask(x, max_frac=0.2):
    b, _, t = x.shape
    width = (torch.rand(b, 1, device=x.device) * max_frac * t).long()
    start = (torch.rand(b, 1, device=x.device) * (t - width)).long()
    idx = torch.arange(t, device=x.device)[None]
    keep = ~((idx >= start) & (idx < start + width))
    return x * keep.unsqueeze(1)


class TwoViews:
    def __init__(self, p_rot=0.8, p_mask=0.5):
        self.p_rot = p_rot
        self.p_mask = p_mask

    def _maybe(self, x, fn, p):
        m = (torch.rand(x.size(0), 1, 1, device=x.device) < p).to(x.dtype)
        return m * fn(x) + (1 - m) * x

    def view(self, x):
        x = random_crop_resize(x)
        x = self._maybe(x, random_rotation, self.p_rot)
        x = self._maybe(x, time_mask, self.p_mask)
        return jitter(scale(x))

    @torch.no_grad()
    def __call__(self, x):
        return self.view(x), self.view(x)
