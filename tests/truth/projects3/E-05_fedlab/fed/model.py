from __future__ import annotations

import torch
from torch import Tensor, nn


class ConvNet(nn.Module):
    def __init__(self, n_classes: int = 10, width: int = 24, norm: str = "bn") -> None:
        super().__init__()

        def make_norm(c: int) -> nn.Module:
            return nn.BatchNorm2d(c) if norm == "bn" else nn.GroupNorm(4, c)

        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), make_norm(width), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), make_norm(2 * width), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(2 * width, 4 * width, 3, padding=1), make_norm(4 * width), nn.ReLU(inplace=True),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(4 * width * 25, 96), nn.ReLU(), nn.Dropout(0.2), nn.Linear(96, n_classes))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.body(x))


def norm_keys(model: nn.Module) -> set[str]:
    """state_dict keys owned by batch-norm layers (kept local with FedBN)."""
    keys: set[str] = set()
    for name, m in model.named_modules():
        if isinstance(m, nn.BatchNorm2d):
            keys |= {f"{name}.{k}" for k in m.state_dict()}
    return keys


@torch.no_grad()
def evaluate(model: nn.Module, loader, device: torch.device) -> dict[str, float]:
    model.eval()
    loss = correct = n = 0.0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        out = model(x)
        loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
        correct += (out.argmax(1) == y).sum().item()
        n += len(y)
    return {"loss": loss / n, "acc": correct / n}
