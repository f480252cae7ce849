import functools

import torch
from torch import nn

from losses import LOSSES, build, focal, weighted
from torch.utils.data import DataLoader, TensorDataset


def scale(x, factor, device):
    return x.to(device, non_blocking=True) * factor


def report(tag, value):
    print(f"{tag}: {value:.4f}")  # sync: host-read note


def main(args):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.rand(100, 8), torch.rand(100, 1)), batch_size=10, pin_memory=True)
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1)).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    prepare = functools.partial(scale, factor=0.5, device=device)
    say = functools.partial(report, "loss")
    criterion = weighted([(1.0, build("focal", gamma=1.5)), (0.5, LOSSES["dice"])])
    for epoch in range(10):
        for i, (x, y) in enumerate(loader):
            loss = criterion(model(prepare(x)), prepare(y))
            opt.zero_grad()
            loss.backward()
            opt.step()
            if i % 50 == 0:
                say(loss)


if __name__ == "__main__":
    main(None)
