import torch
from torch import nn
from trees import Node, even, fold, to_device


def main():
    net = nn.Linear(4, 4).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    tree = Node(Node(None, None, 1), Node(None, None, 2), 3)
    for i in range(100):
        batch = to_device({"x": [torch.randn(2, 4)], "y": (torch.randn(2), {"z": torch.randn(2)})})
        loss = net(batch["x"][0]).mean() + fold(tree, net)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if even(3, loss):  # sync: tensor-truth
            print("even")


main()
