"""A loop around evaluations, with no training in it, may go over checkpoints, benchmarks, whole runs: what runs once in a
turn of it is likely. The loops inside are what they are, and so is a loop around training."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(model, loader):
    rights = []
    for x, y in loader:
        x, y = x.cuda(), y.cuda()  # sync: copy-to-device certain, copy-to-device certain
        rights.append((model(x).argmax(-1) == y).sum())
    return rights


def benchmark(names):
    model = nn.Linear(8, 2).cuda()
    found, sizes = {}, {"weight": model.weight.max(), "bias": model.bias.max()}
    for name in names:
        data = TensorDataset(torch.randn(64, 8), torch.zeros(64, dtype=torch.long))
        rights = evaluate(model, DataLoader(data, batch_size=8))
        found[name] = [right.item() for right in rights]  # sync: host-read note likely
        print(name, {key: size.item() for key, size in sizes.items()})  # sync: host-read note likely
    return found


def train(epochs=4):
    model = nn.Linear(8, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8)
    for epoch in range(epochs):
        for (x,) in loader:
            loss = model(x.cuda()).square().mean()  # sync: copy-to-device certain
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(model.bias.max().item())  # sync: host-read note certain


print(benchmark(["a", "b"]))
train()
