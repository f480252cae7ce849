import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from loop import fit

history = []
seen = {"n": 0}


def log_step(step, loss, out):
    history.append(loss.item())  # sync: host-read


def count_hits(out, y):
    hits = (out.argmax(dim=1) == y).sum()
    seen["n"] += int(hits)  # sync: host-read


def main():
    device = torch.device("cuda")
    data = TensorDataset(torch.randn(1024, 32), torch.randint(0, 10, (1024,)))
    loader = DataLoader(data, batch_size=64, pin_memory=True)
    model = nn.Linear(32, 10).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    fit(model, loader, optimizer, nn.CrossEntropyLoss(), device, on_step=log_step, hooks=[count_hits])


if __name__ == "__main__":
    main()
