"""Learning rates, weight decays and noise schedules: Python numbers and CPU tables, looked up by a Python step."""
import bisect
import math

import torch


def cosine(step: int, total: int, warmup: int = 0, floor: float = 0.0) -> float:
    if step < warmup:
        return (step + 1) / warmup
    progress = min((step - warmup) / max(total - warmup, 1), 1.0)
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * progress))


class Piecewise:
    def __init__(self, points):
        self.steps = [s for s, _ in points]
        self.values = [v for _, v in points]

    def __call__(self, step):
        i = bisect.bisect_right(self.steps, step)
        if i == 0:
            return self.values[0]
        if i == len(self.steps):
            return self.values[-1]
        a, b = self.steps[i - 1], self.steps[i]
        t = (step - a) / (b - a)
        return self.values[i - 1] * (1 - t) + self.values[i] * t


class Plateau:
    def __init__(self, patience=5, factor=0.5):
        self.best, self.bad, self.scale = math.inf, 0, 1.0
        self.patience, self.factor = patience, factor

    def step(self, value: float) -> float:
        if value < self.best * 0.999:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        if self.bad > self.patience:
            self.scale, self.bad = self.scale * self.factor, 0
        return self.scale


def betas(kind: str, steps: int) -> torch.Tensor:
    if kind == "linear":
        return torch.linspace(1e-4, 0.02, steps)
    x = torch.linspace(0, steps, steps + 1)
    alpha = torch.cos((x / steps + 0.008) / 1.008 * math.pi / 2) ** 2
    alpha = alpha / alpha[0]
    return (1 - alpha[1:] / alpha[:-1]).clamp(max=0.999)


def table(kind="cosine", steps=1000):
    b = betas(kind, steps)
    if (b <= 0).any() or (b >= 1).any():
        raise ValueError(kind)
    alphas = (1 - b).cumprod(0)
    rows = []
    for t in range(0, steps, 100):
        snr = (alphas[t] / (1 - alphas[t])).log().item()
        rows.append((t, round(alphas[t].item(), 4), round(snr, 2)))
    print(f"last alpha {alphas[-1].item():.2e}, first {float(alphas[0]):.4f}")
    return rows


def set_lr(optimizer, lr):
    for group in optimizer.param_groups:
        group["lr"] = lr * group.get("scale", 1.0)
        if group["weight_decay"] and lr == 0:
            group["weight_decay"] = 0.0


def run(optimizer, total):
    decay, plateau = Piecewise([(0, 0.04), (total, 0.4)]), Plateau()
    for step in range(total):
        lr = 1e-3 * cosine(step, total, 100) * plateau.step(1.0 / (step + 1))
        set_lr(optimizer, lr)
        for group in optimizer.param_groups:
            group["weight_decay"] = decay(step)
        if step % 100 == 0:
            print("%d lr %.2e wd %.3f" % (step, lr, decay(step)))
