"""What is done for a batch without anything in it runs now and then; what is done for one with something, every time."""
import torch
from data import load
from torch import nn


class Tagger(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.head = nn.Linear(8, 2)

    def labels_of(self, sentences):
        labels = [s.label for s in sentences if s.label is not None]
        return torch.tensor(labels, device=self.device)  # sync: tensor-from-host certain

    def forward_loss(self, sentences: list, features):
        kept = [s for s in sentences if len(s.text)]
        if len(kept) == 0:
            return torch.tensor(0.0, requires_grad=True, device=self.device), 1  # sync: tensor-from-host note likely
        points = [p for s in kept for p in s.points]
        if not points:
            return torch.tensor(0.0, device=self.device), 1  # sync: tensor-from-host note likely
        if len(points) > 0:
            scale = torch.tensor(1.0 / len(points), device=self.device)  # sync: tensor-from-host certain
        return nn.functional.cross_entropy(self.head(features), self.labels_of(kept)) * scale, len(points)


def train(batches, steps=1000):
    tagger = Tagger(torch.device("cuda")).cuda()
    optimizer = torch.optim.SGD(tagger.parameters(), 0.1)
    for sentences in batches:
        loss, count = tagger.forward_loss(sentences, torch.randn(4, 8, device="cuda"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(load("train.txt"))
