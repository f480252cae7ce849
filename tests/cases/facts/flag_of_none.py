"""A flag that says whether an argument was given decides as the argument would; one that is None by default may be given."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def evaluate(loader, model=None, mask=None):
    training = model is not None
    masked = mask is not None
    if not training:
        model = nn.Linear(8, 2).cuda()
        print(next(model.parameters()).sum().item())
    total = 0
    for x, y in loader:
        y = model(x.cuda())  # sync: copy-to-device
        if masked:
            total += y[y > 0].sum()  # sync: dynamic-shape note
    return total


def train(loader):
    model = nn.Linear(8, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        for x, y in loader:
            loss = F.cross_entropy(model(x.cuda()), y.cuda())  # sync: copy-to-device, copy-to-device
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(evaluate(loader, model=model))  # sync: print-tensor note


data = torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,)))
train(torch.utils.data.DataLoader(data, batch_size=8))
