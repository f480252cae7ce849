"""Tensors kept in attributes of a trainer and read in another method."""
import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model, lr):
        self.device = torch.device("cuda")
        self.model = model.to(self.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.lr = lr
        self.steps = 0
        self.loss = None
        self.log = {"loss": [], "lr": []}

    def step(self, x):
        out = self.model(x)
        self.loss = out.pow(2).mean()
        self.optimizer.zero_grad()
        self.loss.backward()
        self.optimizer.step()
        self.steps += 1

    def record(self):
        self.log["loss"].append(self.loss.item())  # sync: host-read
        self.log["lr"].append(float(self.lr))

    def fit(self, steps):
        for _ in range(steps):
            x = torch.randn(16, 8, device=self.device)
            self.step(x)
            self.record()
            if self.steps % 10 == 0 and self.loss > 100:  # sync: tensor-truth note
                break


Trainer(nn.Linear(8, 8), 0.1).fit(100)
