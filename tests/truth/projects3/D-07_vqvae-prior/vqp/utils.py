import math
from pathlib import Path

import torch


def save_grid(images: torch.Tensor, path: Path, cols: int = 10) -> None:
    """(N, 3, H, W) in [-1, 1] -> binary PPM, no image library needed."""
    n, _, h, w = images.shape
    rows = math.ceil(n / cols)
    canvas = torch.zeros(3, rows * (h + 2), cols * (w + 2))
    arr = ((images.detach().float().cpu().clamp(-1, 1) + 1) / 2 * 255).round()
    for i in range(n):
        r, c = divmod(i, cols)
        canvas[:, r * (h + 2) + 1 : r * (h + 2) + 1 + h, c * (w + 2) + 1 : c * (w + 2) + 1 + w] = arr[i]
    data = canvas.byte().permute(1, 2, 0).contiguous().numpy()
    with open(path, "wb") as f:
        f.write(f"P6 {data.shape[1]} {data.shape[0]} 255\n".encode())
        f.write(data.tobytes())


class Mean:
    def __init__(self):
        self.tot, self.n = {}, 0

    def add(self, **kw):
        self.n += 1
        for k, v in kw.items():
            self.tot[k] = self.tot.get(k, 0.0) + (v.detach() if torch.is_tensor(v) else v)

    def result(self):
        return {k: float(v) / max(self.n, 1) for k, v in self.tot.items()}

    def __str__(self):
        return " ".join(f"{k}={v:.4f}" for k, v in self.result().items())
