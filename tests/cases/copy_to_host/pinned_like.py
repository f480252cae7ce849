"""Gradients kept on the host, in page-locked memory made like another tensor there."""
import torch
from torch import nn


class Offload:
    def __init__(self, params):
        self.kept = {}
        self.plain = {}
        for p in params:
            host = torch.empty_like(p, device="cpu", pin_memory=True)
            self.kept[p] = torch.empty_like(host, pin_memory=True)
            self.plain[p] = torch.empty_like(host)

    def step(self, params):
        for p in params:
            self.kept[p].copy_(p.grad, non_blocking=True)
            self.plain[p].copy_(p.grad, non_blocking=True)  # sync: copy-to-host


def main(loader):
    net = nn.Linear(3, 3).cuda()
    offload = Offload(net.parameters())
    for x in loader:
        net(x.cuda()).sum().backward()  # sync: copy-to-device
        offload.step(net.parameters())


main(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(8, 3))))
