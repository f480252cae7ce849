"""What is pinned where it was not is pinned behind the question."""
import torch
from torch.utils.data import DataLoader


class Ahead:
    def __init__(self, dataset, device=torch.device("cuda", 0)):
        self.loader = DataLoader(dataset, num_workers=4)
        self.device = device

    def __iter__(self):
        for sample in self.loader:
            if not sample.is_pinned():
                sample = sample.pin_memory()  # sync: pin-per-step note
            yield sample.to(self.device, non_blocking=True)


def train(dataset, model, optimizer):
    model.cuda()
    for sample in Ahead(dataset):
        model(sample).sum().backward()
        optimizer.step()
