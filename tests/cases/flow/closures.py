"""Inner functions and lambdas that use what the outer one made."""
import torch
import torch.nn as nn


def make_step(model, optimizer, device):
    def step(batch):
        loss = model(batch.to(device)).mean()  # sync: copy-to-device
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


def run():
    device = torch.device("cuda")
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    step = make_step(model, optimizer, device)
    read = lambda t: t.item()  # sync: host-read
    history = []
    for i in range(100):
        batch = torch.randn(16, 8)
        loss = step(batch)
        history.append(read(loss))
    return history


run()
