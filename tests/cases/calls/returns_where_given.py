"""What `-> Tensor` says of a library's result: it is where the arguments are."""
import fast_metrics
import torch
from torch import nn


class Ratio(nn.Module):
    def forward(self, reference: torch.Tensor, estimate: torch.Tensor) -> torch.Tensor:
        return fast_metrics.ratio(reference, estimate)


ratio = Ratio()


def score(references, estimates):
    total = 0.0
    for reference, estimate in zip(references, estimates):
        total += float(ratio(torch.from_numpy(reference), torch.from_numpy(estimate)))
    return total


def validate(net, loader):
    total = 0.0
    for x, y in loader:
        total += ratio(net(x.cuda()), y.cuda()).item()  # sync: copy-to-device, copy-to-device, host-read
    return total
