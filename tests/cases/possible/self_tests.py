# options: --min-confidence possible
"""A private test without parameters is a test of its own file, which no run waits for; one that takes a loader is an evaluation."""
import torch
from torch import nn
from elsewhere import test_loader


def widths() -> list[int]:
    return [64, 128, 256]


def _test():
    for width in widths():
        net = nn.Linear(width, width).cuda()  # sync: copy-to-device possible
        x = torch.randn(4, width).cuda()  # sync: copy-to-device possible
        assert net(x).sum().item() != 0  # sync: host-read possible


def _test_epoch(net, loader):
    for x, _ in loader:
        net(x.cuda())  # sync: copy-to-device certain


def _try():
    for width in widths():
        net = nn.Linear(width, width).cuda()  # sync: copy-to-device likely
        x = torch.randn(4, width).cuda()  # sync: copy-to-device likely
        assert net(x).sum().item() != 0  # sync: host-read likely


if __name__ == "__main__":
    _test()
    _try()
    _test_epoch(nn.Linear(4, 4).cuda(), test_loader)
