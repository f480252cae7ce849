"""Hooks that a module registers while it is made see tensors of the place that it is moved to later."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.fc = nn.Linear(16, 10)
        self.scale = nn.Parameter(torch.ones(1))
        self.peak = {}
        self.scale.register_hook(self._clip)
        self.stem[0].register_forward_pre_hook(self._check)
        self.fc.register_forward_hook(self._watch)
        weight = torch.ones(3)
        print(weight.max().item())

    def _clip(self, grad):
        return grad.sign() if grad.abs() > 1 else grad  # sync: tensor-truth likely

    def _check(self, module, args):
        (x,) = args
        assert not torch.isnan(x).any()  # sync: tensor-truth likely

    def _watch(self, module, inputs, output):
        self.peak["fc"] = output.abs().max().item()  # sync: host-read likely

    def forward(self, x):
        return self.fc(self.stem(x) * self.scale)


def main():
    model = Net().to("cuda")
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.zeros(64).long()), 8, pin_memory=True)
    for x, y in loader:
        x, y = x.to("cuda", non_blocking=True), y.to("cuda", non_blocking=True)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


main()
