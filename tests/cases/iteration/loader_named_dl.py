"""`train_dl`, as fastai and its followers name a loader: what it yields is on the CPU until it is moved."""
import torch


class Learner:
    def __init__(self, model, optimizer, train_dl, device):
        self.model, self.optimizer, self.train_dl, self.device = model, optimizer, train_dl, device

    def fit(self):
        seen = 0
        for x, y in self.train_dl:
            seen += y.sum().item()
            loss = self.model(x.to(self.device), y.to(self.device))  # sync: copy-to-device x2
            loss.backward()
            self.optimizer.step()
        return seen
