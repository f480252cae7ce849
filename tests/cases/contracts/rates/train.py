import torch
from torch import nn


def called_by_others(logits: torch.Tensor):  # syncl: hot
    return logits.argmax().item()  # sync: host-read


def nobody_knows(logits):
    return logits.argmax().item()


def describe(model, x):  # syncl: cold
    print(model(x).mean().item())


def main(debug):
    model = nn.Linear(4, 4).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(8, 4, device="cuda")
    print(model(x).sum().item())
    print(model(x).max().item())  # syncl: hot  # sync: host-read
    for i in range(1000):
        loss = model(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        describe(model, x)
        if i % 1000 == 0:  # syncl: hot
            print(loss.item())  # sync: host-read
        if debug.once:  # syncl: cold
            print(loss.item())
        with debug.region("rare"):  # syncl: cold
            print(loss.item())


main(None)
