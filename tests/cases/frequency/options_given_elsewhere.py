"""An argument of a class from outside the program gives no field of a configuration, though it has that field's name. One of the
program's classes may."""
from dataclasses import dataclass, field

import torch
from accelerate import Accelerator
from coqpit import Coqpit
from torch import nn


@dataclass
class TrainConfig(Coqpit):
    mixed_precision: bool = field(default=False, metadata={"help": "Half precision"})
    use_scaler: bool = False
    checked: bool = False


class Report:
    def __init__(self, **options):
        self.config = TrainConfig(**options)


class Trainer:
    def __init__(self, config: Coqpit, model: nn.Module, accelerate=False):
        self.config, self.model = config, model.cuda()
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)
        self.use_cuda = torch.cuda.is_available()
        self.scaled = self.use_cuda if self.config.mixed_precision else self.config.use_scaler
        precision = "fp16" if config.mixed_precision else None
        self.report = Report(checked=True)
        if accelerate:
            self.accelerator = Accelerator(mixed_precision=precision)

    def train(self, batches):
        for x in batches:
            loss = self.model(x.cuda(non_blocking=True)).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if self.scaled:
                print(loss.item())  # sync: host-read note
            if self.config.mixed_precision:
                print(loss.item())  # sync: host-read note
            if self.config.checked:
                print(loss.item())  # sync: host-read


class Runner:
    """A field asked for with a default of its own, and an option that is taken out of the rest."""

    def __init__(self, config, model, **options):
        self.config, self.model = config, model.cuda()
        self.shown = options.pop("shown", False)
        self.kept = options.pop("kept", True)

    def run(self, batches):
        for x in batches:
            loss = self.model(x.cuda(non_blocking=True)).mean()
            if self.shown:
                print(loss.item())  # sync: host-read note
            if self.kept:
                print(loss.item())  # sync: host-read
            if getattr(self.config, "watched", False):
                print(loss.item())  # sync: host-read note
            if getattr(self.config, "checked", False):
                print(loss.item())  # sync: host-read
            if getattr(self.model, "watched", False):
                print(loss.item())  # sync: host-read
