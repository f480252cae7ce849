"""A program that names no accelerator and whose loss is on the CPU trains there: what only a convention, or a use, takes for a tensor
that is elsewhere is not. Nothing is told, whoever calls the function."""
import torch
from torch import nn
from torch.utils.data import DataLoader


def norm(x):
    y = x.detach().clone()
    return x / y.norm().item()


def largest(values):
    return values.new_zeros(3).add_(values).max().item()


class Net(nn.Module):
    def forward(self, x):
        if x.isnan().any():
            return x
        return x[x > 0].sum()


def main():
    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for epoch in range(3):
        for x in DataLoader(torch.randn(64, 8), batch_size=8):
            loss = model(x).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(loss.item(), norm(loss), largest(loss))


if __name__ == "__main__":
    main()
