"""A dict with keys that are written out, and others that nobody knows: what the first hold stays what it is."""
import torch
from torch import nn


def default(value, other):
    return value if value is not None else other


def train(loader, names, epochs):
    net = nn.Linear(8, 8).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    state = {"step": 0, "name": "run", "best": None}
    for epoch in range(epochs):
        for batch in loader:
            batch = [x.cuda() for x in batch]  # sync: copy-to-device
            for name, x in zip(names, batch):
                state[name] = net(x)
            loss = sum(state[name].mean() for name in names)
            opt.zero_grad()
            loss.backward()
            opt.step()
            state["step"] += 1
            if state["step"] > 1000:
                return state
            if default(state["step"], 1) % 7 == 3:
                print(state["step"])
