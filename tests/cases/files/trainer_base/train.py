import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from base import BaseTrainer


class Classifier(BaseTrainer):
    def training_step(self, batch):
        x, y = batch
        logits = self.model(x)
        mask = y > 0
        return F.cross_entropy(logits[mask], y[mask])  # sync: dynamic-shape x2

    def on_step_end(self, loss):
        print(f"loss {loss.item():.4f}")  # sync: host-read


def main():
    data = TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,)))
    Classifier(nn.Linear(8, 3), DataLoader(data, batch_size=32)).fit(3)


main()
