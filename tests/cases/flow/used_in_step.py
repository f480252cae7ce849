# options: --min-confidence possible
"""A trainer whose step, model and batch come from elsewhere: that a value is a tensor of the GPU is told by its uses alone. In a
training step it is one, though nothing in sight made it; in a loop that trains nothing, and for what is sent there, less is sure."""
import torch

from engine import Engine, best_masks


class AlternatingTrainer:
    def __init__(self, engine: Engine, rounds: int):
        self.engine, self.rounds = engine, rounds
        self.seen = 0.0

    def fit(self, loader, optimizer):
        for inputs in loader:
            outcome = self.engine.run(inputs)
            outcome.generator_loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            self.seen += outcome.generator_loss.item()  # sync: host-read likely

    def search(self, loader, optimizer):
        for inputs in loader:
            found, cost = best_masks(self.engine, inputs)
            cost.sum().backward()
            optimizer.step()
            rows = found.view(-1).nonzero()  # sync: dynamic-shape possible
            shares = found.float().mean(dim=0).detach().cpu()  # sync: copy-to-host likely
            self.engine.note(rows, shares)

    def watch(self, samples):
        for sample in samples:
            found, cost = best_masks(self.engine, sample)
            self.engine.note(found.detach().cpu(), cost)  # sync: copy-to-host possible
