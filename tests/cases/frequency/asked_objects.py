# options: --min-confidence possible
"""Methods that nobody in sight calls and whose names say nothing: an estimator, a metric and a sampler with tensors of their own
are asked again and again by the loops of who uses them. What converts, loads, splits or makes them is done once, and so is what
moves them; an item of a data set is fetched in a worker."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import Dataset


class RunningMoments:
    def __init__(self, width: int, device: torch.device = torch.device("cuda")):
        self.device = device
        self.total = torch.zeros(width, device=device)
        self.count = torch.zeros((), device=device)

    def reset(self) -> None:
        self.shares = torch.tensor([0.25, 0.75], device=self.device)  # sync: tensor-from-host likely

    def merge(self, others: list) -> None:
        weights = torch.tensor([len(other) for other in others], device=self.device)  # sync: tensor-from-host likely
        self.total = self.total * weights.sum()
        if self.count > 0:  # sync: tensor-truth certain
            self.total /= self.count

    def summary(self) -> dict:
        return {"mean": (self.total / self.count).cpu().numpy()}  # sync: copy-to-host likely

    def present(self):
        return self.total[self.total > 0]  # sync: dynamic-shape likely

    def load_moments(self, path):
        self.shares = torch.tensor(np.load(path).tolist(), device=self.device)  # sync: tensor-from-host possible

    def split_by(self, borders):
        return self.total[torch.tensor(borders, device=self.device)]  # sync: tensor-from-host possible

    def convert(self):
        return self.total.cpu()  # sync: copy-to-host possible

    def follow(self, device):
        self.head = nn.Linear(4, 4).to(self.device)  # sync: copy-to-device possible
        self.head.weight.data = torch.zeros(4, 4).to(self.device)  # sync: copy-to-device possible


class Frames(Dataset):
    def __init__(self, rows, device=torch.device("cuda")):
        self.rows, self.device = rows, device

    def __getitem__(self, i):
        return torch.tensor(self.rows[i], device=self.device)
