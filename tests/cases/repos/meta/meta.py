from collections import OrderedDict
import torch
import torch.nn as nn
import torch.nn.functional as F


class ConvNet(nn.Module):
    def __init__(self, ways):
        super().__init__()
        self.conv = nn.Conv2d(1, 32, 3)
        self.fc = nn.Linear(32 * 26 * 26, ways)

    def forward(self, x):
        return self.functional_forward(x, OrderedDict(self.named_parameters()))

    def functional_forward(self, x, params):
        x = F.relu(F.conv2d(x, params["conv.weight"], params["conv.bias"]))
        return F.linear(x.flatten(1), params["fc.weight"], params["fc.bias"])


def inner_loop(net, x, y, lr, steps):
    fast = OrderedDict(net.named_parameters())
    for _ in range(steps):
        loss = F.cross_entropy(net.functional_forward(x, fast), y)
        if torch.isnan(loss):  # sync: tensor-truth
            break
        grads = torch.autograd.grad(loss, fast.values(), create_graph=True)
        fast = OrderedDict((n, p - lr * g) for (n, p), g in zip(fast.items(), grads))
    return fast
