"""What a branch or an early return makes only when it is not there yet: once a run when nothing varies, now and then
when a key or a shape does."""
import torch
from elsewhere import find_cache
from torch import nn

LIMITS = {}
BASES = {}


def basis(x, dtype, device: torch.device):
    key = (dtype, device)
    if key not in BASES:
        made = torch.eye(3, dtype=dtype, device=device)
        torch.cuda.current_stream(device).synchronize()
        BASES[key] = made
    if x.dtype not in LIMITS:
        LIMITS[x.dtype] = torch.tensor([1.0, 2.0, 3.0], device=x.device)
    return x @ BASES[key] * LIMITS[x.dtype]


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3, 3))
        self.class_weight = nn.Parameter(torch.tensor(1.0))
        self.shape = None
        self.anchors = None
        self.grids = {}
        self.kept = find_cache()
        self.sums = {}
        self.register_buffer("scales", torch.tensor([1.0, 0.07, -1.0]))
        self.hidden = torch.zeros(3) if torch.rand(1) > 0.5 else None

    def limits(self, x):
        if self._limits is not None:
            return self._limits
        self._limits = x.max().item()
        return self._limits

    def spread(self, x):
        if hasattr(self, "_spread"):
            return self._spread
        self._spread = x.std().item()
        return self._spread

    def grid(self, n, x):
        if n in self.grids:
            return self.grids[n]
        size = int(x.abs().sum())  # sync: host-read note
        self.grids[n] = torch.zeros(size, device=x.device)
        return self.grids[n]

    def forward(self, x):
        x = basis(x @ self.weight, x.dtype, x.device)
        if "steps" not in self.sums:
            self.sums["steps"] = torch.tensor(0, device=x.device)
        self.sums["steps"] += 1
        if not hasattr(self, "fused"):
            self.fused = x.mean().item()
        if self.shape != x.shape:
            self.anchors = x.tolist()  # sync: host-read note
            self.shape = x.shape
        if x.shape not in LIMITS:
            LIMITS[x.shape] = x.max().item()  # sync: host-read note
        if self.class_weight.ndim == 0:
            self.class_weight = x[:3] * x.sum().item()  # sync: host-read note
        if self.kept.get("norm", None) is None:
            self.kept["norm"] = x.min().item()
        if self.kept.get(x.shape) is None:
            self.kept[x.shape] = x.min().item()  # sync: host-read note
        if self.kept.get("off", 1) is None:
            self.kept["off"] = x.min().item()  # sync: host-read
        if self.hidden is not None:
            self.hidden = self.hidden * x.sum().item()  # sync: host-read
        scale = self.scales[2].item()  # sync: host-read
        if scale < 0:
            self.scales[2] = x.mean()
            scale = self.scales[2].item()  # sync: host-read note
        x = x / scale
        counts = {}
        for i in range(3):
            if i not in counts:
                counts[i] = x[i].sum().item()  # sync: host-read
        return x + self.limits(x) + self.spread(x) + self.grid(3, x)
