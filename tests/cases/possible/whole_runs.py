# options: --min-confidence possible
"""What makes the model and calls the loop that trains it is the run, although nobody in sight calls it: before and after
the loop it waits once. A function that is given the model may be called each epoch."""
import torch
import torch.nn.functional as F
from torch import nn


def fit(model, opt, loader, device):
    seen = torch.tensor(0, device=device)
    for x, y in loader:
        loss = F.cross_entropy(model(x.to(device)), y.to(device))  # sync: copy-to-device, copy-to-device
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += 1
    print(seen.item())


def main(loader, width=8):
    device = torch.device("cuda")
    model = nn.Linear(width, 4).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    fit(model, opt, loader, device)
    scale = torch.tensor([1.0, 2.0], device=device)
    print((model.weight * scale[0]).sum().item())


def train_epoch(model: nn.Module, opt, loader, device):
    total = torch.zeros((), device=device)
    for x, y in loader:
        loss = F.cross_entropy(model(x.to(device)), y.to(device))  # sync: copy-to-device likely, copy-to-device likely
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.detach()
    return total.item()  # sync: host-read likely
