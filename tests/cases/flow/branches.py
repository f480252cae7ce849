"""Values that are one thing on one path and another on the other."""
import torch
import torch.nn as nn


def train(model, x, use_aux, log_every):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0
    aux = None
    for step in range(100):
        y = model(x)
        loss = y.pow(2).mean()
        if use_aux:
            aux = y.abs().mean()
            loss = loss + 0.1 * aux
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.detach()
        if aux is not None:
            print(aux.item())  # sync: host-read
    return total.item()


device = torch.device("cuda")
print(train(nn.Linear(4, 4).to(device), torch.randn(8, 4, device=device), True, 10))
