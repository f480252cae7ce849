import sys

import torch


def main(steps=100):
    model = torch.nn.Linear(8, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for step in range(steps):
        loss = model(torch.rand(4, 8, device="cuda")).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: host-read
        if step > 10:
            print(model.weight.norm().item())
            sys.exit(1)
    return 0
