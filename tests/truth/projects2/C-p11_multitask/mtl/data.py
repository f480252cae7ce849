from __future__ import annotations

import torch
from torch.utils.data import Dataset


class Blobs3D(Dataset):
    """Spheres in front of a tilted plane: rgb, segmentation, depth and normals, some labels missing."""

    def __init__(self, n: int, size: int = 48, n_classes: int = 5, missing: float = 0.1, seed: int = 0):
        self.n, self.size, self.n_classes, self.missing, self.seed = n, size, n_classes, missing, seed
        ys, xs = torch.meshgrid(torch.linspace(-1, 1, size), torch.linspace(-1, 1, size), indexing="ij")
        self.xs, self.ys = xs, ys
        self.palette = torch.rand(n_classes, 3, generator=torch.Generator().manual_seed(99))

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i: int) -> dict[str, torch.Tensor]:
        g = torch.Generator().manual_seed(self.seed * 100003 + i)
        tilt = (torch.rand(2, generator=g) - 0.5) * 0.6
        depth = 3.0 + tilt[0] * self.xs + tilt[1] * self.ys
        normal = torch.stack([-tilt[0], -tilt[1], torch.tensor(1.0)])
        normal = (normal / normal.norm()).view(3, 1, 1).expand(3, self.size, self.size).clone()
        seg = torch.zeros(self.size, self.size, dtype=torch.long)
        for _ in range(int(torch.randint(2, 5, (1,), generator=g))):
            cx, cy = ((torch.rand(2, generator=g) - 0.5) * 1.4).tolist()
            r = 0.2 + 0.35 * torch.rand(1, generator=g).item()
            z0 = 1.2 + 1.2 * torch.rand(1, generator=g).item()
            cls = int(torch.randint(1, self.n_classes, (1,), generator=g))
            dx, dy = (self.xs - cx) / r, (self.ys - cy) / r
            rr = dx ** 2 + dy ** 2
            h = (1 - rr).clamp(min=0).sqrt()
            z = z0 - r * h
            m = (rr < 1) & (z < depth)
            depth = torch.where(m, z, depth)
            seg = torch.where(m, torch.full_like(seg, cls), seg)
            normal = torch.where(m[None], torch.stack([dx, dy, h]), normal)
        shade = 0.3 + 0.7 * normal[2].clamp(min=0)
        img = self.palette[seg].permute(2, 0, 1) * shade + 0.05 * torch.randn(3, self.size, self.size, generator=g)
        seg[torch.rand(self.size, self.size, generator=g) < self.missing] = 255
        depth = depth.clone()
        depth[torch.rand(self.size, self.size, generator=g) < self.missing] = 0.0
        return {"image": img, "seg": seg, "depth": depth[None], "normal": normal}
