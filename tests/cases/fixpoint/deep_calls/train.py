import torch
from chain import f0
from torch import nn


def main():
    net = nn.Linear(4, 4).cuda()
    for i in range(100):
        loss = net(torch.randn(2, 4, device="cuda")).mean()
        loss.backward()
        n = f0(loss)
        lr = n * 0.1
        print(lr)


main()
