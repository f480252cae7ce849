import torch
from torch import nn
from optim import Lars


def main():
    net = nn.Linear(3, 3).cuda()
    opt = Lars(net.parameters(), lr=0.5)
    for step in range(100):
        x = torch.randn(4, 3, device="cuda")

        def closure():
            opt.zero_grad()
            loss = net(x).sum()
            loss.backward()
            print(float(loss))  # sync: host-read
            return loss

        opt.step(closure)


main()
