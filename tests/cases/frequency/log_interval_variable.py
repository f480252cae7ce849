"""The interval is a variable or an argument: still a note."""
import argparse

import torch
import torch.nn as nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log-interval", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    device = torch.device("cuda")
    model = nn.Linear(16, 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(64, 16, device=device)
    for epoch in range(1, args.epochs + 1):
        for batch_idx in range(500):
            loss = model(x).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if batch_idx % args.log_interval == 0:
                print("Train Epoch: {} Loss: {:.6f}".format(epoch, loss.item()))  # sync: host-read note


if __name__ == "__main__":
    main()
