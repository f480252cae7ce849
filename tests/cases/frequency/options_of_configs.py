"""A field of a configuration that is handed in is what its class says by default, unless somebody in sight gives another value."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class TrainConfig:
    amp: bool = False
    every: int = 20
    check: bool = False
    clip: float = 1.0


class DistillConfig:
    def __init__(self, cached=False, temperature=4):
        self.cached = cached
        self.temperature = temperature


class Report:
    shown: bool = False


class Trainer:
    def __init__(self, model: nn.Module, t_config, d_config, report):
        self.model, self.t_config, self.d_config, self.report = model.cuda(), t_config, d_config, report
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)

    def train(self, batches):
        for i, x in enumerate(batches):
            loss = self.model(x.cuda()).mean()  # sync: copy-to-device
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if self.t_config.amp:
                print(loss.item())  # sync: host-read note
            if self.t_config.check:
                print(loss.item())  # sync: host-read
            if self.t_config.clip > 0:
                print(loss.item())  # sync: host-read
            if i % self.t_config.every == 0:
                print(loss.item())  # sync: host-read note certain
            if self.d_config.cached is False:
                print(loss.item())  # sync: host-read
            else:
                print(loss.item())  # sync: host-read note
            if self.report.shown:
                print(loss.item())  # sync: host-read


def checked():
    return TrainConfig(check=True)
