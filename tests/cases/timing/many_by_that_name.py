"""A clock around a method of what a plugin made: so many classes have one of that name that none is meant for sure, and
most of them read something back."""
import time

import torch
from torch import nn


class Evaluator:
    def __init__(self, net):
        self.net = net

    def evaluate(self, outputs: torch.Tensor, targets: torch.Tensor):
        raise NotImplementedError

    def error(self, outputs, targets):
        return torch.mean((outputs - targets) ** 2)


class Ratio(Evaluator):
    def evaluate(self, outputs: torch.Tensor, targets: torch.Tensor):
        return {"psnr": float(-10 * torch.log10(self.error(outputs, targets)))}  # sync: host-read


class Squares(Evaluator):
    def evaluate(self, outputs: torch.Tensor, targets: torch.Tensor):
        return {"mse": self.error(outputs, targets).item()}  # sync: host-read


class Roots(Evaluator):
    def evaluate(self, outputs: torch.Tensor, targets: torch.Tensor):
        return {"rmse": self.error(outputs, targets).sqrt().item()}  # sync: host-read


class Means(Evaluator):
    def evaluate(self, outputs: torch.Tensor, targets: torch.Tensor):
        return {"mean": outputs.mean().item()}  # sync: host-read


class Medians(Evaluator):
    def evaluate(self, outputs: torch.Tensor, targets: torch.Tensor):
        return {"median": outputs.median().item()}  # sync: host-read


class Largest(Evaluator):
    def evaluate(self, outputs: torch.Tensor, targets: torch.Tensor):
        return {"max": (outputs - targets).abs().max()}


class Smallest(Evaluator):
    def evaluate(self, outputs: torch.Tensor, targets: torch.Tensor):
        return {"min": (outputs - targets).abs().min()}


class Spread(Evaluator):
    def evaluate(self, outputs: torch.Tensor, targets: torch.Tensor):
        return {"std": outputs.std()}


def benchmark(name, rays, targets, plugins):
    net = nn.Linear(3, 3).cuda()
    chosen = plugins.load(name)
    total = shades = 0.0
    for ray, target in zip(rays, targets):
        start = time.time()
        metrics = chosen.evaluate(net(ray), target)
        total += time.time() - start
        middle = time.time()
        image = chosen.colour(net(ray))
        shades += time.time() - middle  # sync: timer-unsynced
    return total, shades, metrics, image


def encode(codec, loader):
    spent = seen = 0.0
    net = nn.Linear(3, 3).cuda()
    for shape in loader:
        start = time.time()
        stream = codec.compress(torch.zeros(shape, device="cuda"))
        spent += time.time() - start
        start = time.time()
        outputs = net(torch.zeros(shape, device="cuda"))
        seen += time.time() - start  # sync: timer-unsynced
    return spent, seen, stream, outputs


def synchronised(build, config, loader):
    model = build(config).to("cuda")
    spent = 0.0
    for batch in loader:
        torch.cuda.synchronize()  # sync: sync-for-timer
        start = time.perf_counter()
        model.test_step(batch)
        torch.cuda.synchronize()  # sync: sync-for-timer
        spent += time.perf_counter() - start
    return spent
