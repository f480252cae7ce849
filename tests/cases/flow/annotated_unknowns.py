"""An annotation with a class that is not known says nothing but that there may be None; `device: str` names the run's device."""
from dataclasses import dataclass
from typing import Optional, Union

import torch
from elsewhere import Callback, Config


def evaluate(model, loader, config: Optional[Config], callback: Callback | None):
    for x, y in loader:
        out = model(x.cuda())  # sync: copy-to-device
        if config is not None:
            print(out.mean().item())  # sync: host-read
        if callback is not None:
            callback.log(out.max().item())  # sync: host-read


class Trainer:
    def __init__(self, model, optimizer, scheduler: "Config | None", device: str):
        self.model, self.optimizer, self.scheduler = model, optimizer, scheduler
        self.device = device

    def fit(self, train_loader):
        for x, y in train_loader:
            loss = self.model(x.to(self.device)).mean()  # sync: copy-to-device
            loss.backward()
            self.optimizer.step()
            if self.scheduler is not None:
                self.scheduler.step(loss.item())  # sync: host-read


def train(model, optimizer, train_loader, device: Optional[Union[str, torch.device]]):
    for x in train_loader:
        loss = model(x.to(device)).mean()  # sync: copy-to-device
        loss.backward()
        optimizer.step()


def probe(model, loader, device):
    for x in loader:
        if device != "cpu":
            x = x.to(device)  # sync: copy-to-device
        print(model(x).argmax().item())  # sync: host-read


def stays(model, loader, device: str = "cpu", scale: Optional[float] = None):
    for x in loader:
        print(x.to(device).mean().item(), scale * 2 if scale is not None else 1)


@dataclass
class Settings:
    device: str
    rate: float = 0.1


def fit(model, optimizer, train_loader, settings: Settings, places):
    name: str = places["first"]
    device: str = places.get("second")
    for x in train_loader:
        loss = model(x.to(settings.device)).mean()  # sync: copy-to-device
        loss = loss + model(x.to(device)).mean()  # sync: copy-to-device
        loss = loss + model(x.to(name)).mean()
        loss.backward()
        optimizer.step()
