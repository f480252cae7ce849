"""Outputs by name, one of them a list: whose device is asked for is a tensor, as a list has none."""
import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self, width: int, classes: int):
        super().__init__()
        self.body = nn.Linear(width, width)
        self.labels, self.boxes = nn.Linear(width, classes), nn.Linear(width, 4)

    def forward(self, x):
        x = self.body(x)
        out = {"labels": self.labels(x), "boxes": self.boxes(x)}
        out["earlier"] = [{"labels": self.labels(x), "boxes": self.boxes(x)}]
        return out


class Criterion(nn.Module):
    def forward(self, outputs, targets):
        count = sum(len(t["labels"]) for t in targets)
        count = torch.as_tensor([count], dtype=torch.float, device=next(iter(outputs.values())).device)  # sync: tensor-from-host certain
        return outputs["boxes"].abs().sum() / count


def train(loader, epochs: int):
    device = torch.device("cuda")
    model, criterion = Detector(8, 4).to(device), Criterion().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for samples, targets in loader:
            outputs = model(samples.to(device, non_blocking=True))
            loss = criterion(outputs, targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
