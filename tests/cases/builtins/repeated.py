"""A list times a tensor asks the tensor how often; no float says that."""
import torch


def train(model, loader, optimizer):
    for x, y in loader:
        loss = model(x.cuda(), y.cuda()).mean()  # sync: copy-to-device, copy-to-device
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        longest = y.cuda().sum(1).max()  # sync: copy-to-device
        padded = [0] * longest  # sync: host-read
        names = "x" * longest  # sync: host-read
        print(len(padded), len(names))


class Weighted(torch.nn.Module):
    """Called with a dict it would fail: of its keys no float tells how many."""

    def __init__(self):
        super().__init__()
        self.weights = torch.nn.Parameter(torch.tensor([1.5]))

    def forward(self, batch):
        x, y = batch
        return y * self.weights


def shorten(batch, model=Weighted().cuda()):
    for length in range(8, 64, 8):
        model({key: value[:, :length] for key, value in batch.items()})


shorten({"ids": torch.ones(4, 64), "mask": torch.ones(4, 64)})

__all__ = ["train"]
