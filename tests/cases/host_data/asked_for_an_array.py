"""x.numpy() raises of what is on the GPU: a parameter that is asked so is on the CPU, whatever convention says."""
import numpy as np
import torch


class Calibrator:
    def __init__(self, models):
        self.models = models

    def apply(self, uncs: torch.Tensor) -> torch.Tensor:
        calibrated = torch.zeros_like(uncs)
        for task, model in enumerate(self.models):
            calibrated[:, task] = torch.tensor(model.predict(uncs[:, task].numpy()))
        return calibrated

    def width(self, uncs: torch.Tensor) -> torch.Tensor:
        width = torch.zeros_like(uncs)
        for task, model in enumerate(self.models):
            width[:, task] = torch.tensor(model.predict(uncs[:, task].cpu().numpy()))  # sync: copy-to-host  # missed: copy-to-device
        return width


def coverage(levels: torch.Tensor, hits: torch.Tensor):
    middle = (levels - hits).abs().sum().item()
    return middle, np.interp(0.5, levels.detach().numpy(), hits.numpy())


def array_of(value: torch.Tensor):
    if value.is_cuda:
        return value.cpu().numpy()  # sync: copy-to-host
    return value.numpy()


def spread(values: torch.Tensor, device="cuda"):
    values = values.to(device)
    spread = values.std().item()  # sync: host-read
    values = values.cpu()  # sync: copy-to-host
    return spread, values.numpy()


def descend(points: torch.Tensor, energy, steps, device="cuda"):
    if not isinstance(points, torch.Tensor):
        points = torch.tensor(points)
    points = points.float()
    points.to(device)
    points.requires_grad = True
    optimizer = torch.optim.Adam([points])
    path = []
    for _ in range(steps):
        loss = (points - points.mean()).square().sum()
        path.append((loss.item(), points.detach().numpy()))
        loss.backward()
        optimizer.step()
    return path
