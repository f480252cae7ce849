"""The state of a session: names, counts and tensors in one dict, filled elsewhere too. A key that nobody in sight gave is
none of the tensors; of a dict of tensors alone it is one more."""
import torch
from torch import nn


class Tracker:
    def __init__(self, model: nn.Module):
        self.model = model.cuda()
        self.device = next(model.parameters()).device
        self.state = {}

    def prompt(self, texts, frames):
        self.state["texts"] = texts if texts else None
        self.state["count"] = len(texts)
        self.state["ids"] = torch.arange(len(texts), device=self.device)
        for frame in frames:
            if self.state["ids"].max() > 4:  # sync: tensor-truth likely
                break
            if frame in self.state["done"]:
                continue
            print(self.state["ids"].tolist(), f"{self.state['removed']}")  # sync: host-read likely


class Statistics:
    def __init__(self, device: torch.device):
        self.device = device
        self.sums = {}

    def update(self, batches):
        for batch in batches:
            self.sums["loss"] = torch.zeros((), device=self.device)
            self.sums["norm"] = torch.ones((), device=self.device)
            print(self.sums["found"].item())  # sync: host-read likely
