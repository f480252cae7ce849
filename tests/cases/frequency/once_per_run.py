"""Waits that run once in a run cost nothing worth saying."""
import torch
import torch.nn as nn


def describe(model, x):
    out = model(x)
    print("output mean", out.mean().item(), "std", out.std().item())
    print(out)
    torch.cuda.synchronize()
    return out.cpu()


def main():
    device = torch.device("cuda")
    model = nn.Linear(8, 8).to(device)
    x = torch.randn(4, 8, device=device)
    describe(model, x)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(100):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.synchronize()
    print("final loss", loss.item(), model.weight.norm().item())
    torch.save(model.state_dict(), "model.pt")


main()
