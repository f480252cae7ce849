import torch
from torch.nn import functional as F

from trainer import Batches, Trainer


class Classifier(Trainer):
    def __init__(self, model, loader, device, optimizer):
        super().__init__(model, loader, device)
        self.optimizer = optimizer

    def train_step(self, batch):
        x, y = batch
        loss = F.cross_entropy(self.model(x.cuda()), y.cuda())  # sync: copy-to-device, copy-to-device
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()  # sync: host-read

    def measured(self) -> torch.Tensor:
        return torch.zeros((), device=self.device)


class Regressor(Trainer):
    def train_step(self, batch):
        with torch.no_grad():
            return self.model(batch.to(self.device)).mean().item()  # sync: host-read, copy-to-device


def update(trainer: Trainer, batches: Batches, repeat: int):
    total = 0.0
    for turn in range(repeat):
        for part in batches.split(32):
            weight = len(part) * part.scale
            total += weight.mean().item()  # sync: host-read
        total += float(trainer.measured())  # sync: host-read
    return total
