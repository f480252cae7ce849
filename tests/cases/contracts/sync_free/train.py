import torch
from torch import nn

from helpers import fmt, norm_of, used_elsewhere


def step(model, x, opt):  # syncl: sync-free
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    norm_of([p.grad for p in model.parameters()])
    opt.step()
    return loss


# syncl: sync-free
@torch.no_grad()
def prepare(x):
    return x[x > 0]  # sync: dynamic-shape error


def main():
    model = nn.Linear(4, 4).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    with torch.cuda.stream(torch.cuda.Stream()):  # syncl: sync-free warms up once, and yet
        print(torch.ones(3, device="cuda").sum().item())  # sync: host-read error
    for i in range(1000):
        x = torch.randn(8, 4, device="cuda")
        loss = step(model, x, opt)
        prepare(x)
        used_elsewhere(loss)
        for j in range(4):  # syncl: sync-free
            torch.relu(x)
            print(fmt(loss))


main()
