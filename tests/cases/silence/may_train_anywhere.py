"""Where the loss may be on a GPU, as the model comes from elsewhere, that no GPU is named says little."""
import torch
from somewhere import find_loader, find_model
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.isnan().any():  # sync: tensor-truth
            return x
        return x.sum()


def main():
    model = find_model()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for x in find_loader():
        loss = model(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()

__all__ = ["Net"]
