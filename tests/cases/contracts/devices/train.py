import torch
from torch import nn
from somewhere import load_points, load_table, sample


def pick(index):  # syncl: device=cuda
    return load_points()[index]


def main():
    model = nn.Linear(4, 4).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    table = load_table()  # syncl: device=cuda
    for i in range(1000):
        x = torch.randn(8, 4, device="cuda")
        loss = model(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        row = table[i]
        print(row.sum().item())  # sync: host-read certain
        moved = sample(loss)  # syncl: device=cpu
        print(moved.sum().item())
        print(pick(3).sum().item())  # sync: host-read certain
        for point in load_points():  # syncl: device=cpu
            print(point.item())


main()
