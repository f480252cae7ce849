"""What register_hook is given runs in each backward pass, with the gradient."""
from functools import partial

import torch


def record(grad, *, sums, name, tensor):
    sums[name] = grad.std().item()  # sync: host-read
    sums[name + "/ratio"] = (grad.norm() / (1e-9 + tensor.norm())).item()  # sync: host-read


def watch(net, names):
    sums, handles = {}, []
    for name, parameter in net.named_parameters():
        if name in names:
            handles.append(parameter.register_hook(partial(record, sums=sums, name=name, tensor=parameter)))
    return sums, handles
