import torch
import torch.nn as nn


class OccupancyGrid(nn.Module):
    def __init__(self, res, bound, thre=0.01, decay=0.95):
        super().__init__()
        self.res = res
        self.bound = bound
        self.thre = thre
        self.decay = decay
        self.register_buffer('occs', torch.zeros(res ** 3))
        self.register_buffer('binary', torch.ones(res, res, res, dtype=torch.bool))
        g = torch.stack(torch.meshgrid(*[torch.arange(res)] * 3, indexing='ij'), -1).reshape(-1, 3)
        self.register_buffer('coords', g, persistent=False)
        self.register_buffer('indices', torch.arange(res ** 3), persistent=False)

    @property
    def num_cells(self):
        return self.res ** 3

    @torch.no_grad()
    def _sample_cells(self, n):
        uniform = torch.randint(self.num_cells, (n,), device=self.occs.device)
        occupied = torch.nonzero(self.binary.flatten())[:, 0]
        if n < len(occupied):
            sel = torch.randint(len(occupied), (n,), device=self.occs.device)
            occupied = occupied[sel]
        return torch.cat([uniform, occupied])

    @torch.no_grad()
    def update(self, step, density_fn, step_size, warmup=256):
        if step < warmup:
            idx = self.indices
        else:
            idx = self._sample_cells(self.num_cells // 4)
        c = self.coords[idx]
        x = (c + torch.rand_like(c, dtype=torch.float32)) / self.res
        x = (x * 2 - 1) * self.bound
        occ = density_fn(x) * step_size
        self.occs[idx] = torch.maximum(self.occs[idx] * self.decay, occ)
        thre = min(self.occs.mean().item(), self.thre)
        self.binary = (self.occs > thre).view(self.binary.shape)

    @torch.no_grad()
    def query(self, x):
        u = (x + self.bound) / (2 * self.bound)
        inside = ((u >= 0) & (u < 1)).all(-1)
        i = (u * self.res).long().clamp(0, self.res - 1)
        return self.binary[i[..., 0], i[..., 1], i[..., 2]] & inside

    def occupancy_ratio(self):
        return self.binary.float().mean().item()
