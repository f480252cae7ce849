"""What a function does where it is not given a thing is likely at most where it is called with one of which nothing is known."""
import torch
import torch.distributed as dist
from builders import build_loader, find_model
from torch import nn


def find_loader(path):
    dist.barrier()  # sync: library-wait likely
    return build_loader(path)


def find_weights(path):
    dist.barrier()  # sync: library-wait certain
    return torch.rand(4, 8, device="cuda")


@torch.no_grad()
def evaluate(model=None, loader=None, weights=None):
    training = model is not None
    if training:
        dist.barrier()  # sync: library-wait certain
        model.eval()
    else:
        model, loader = find_model(), find_loader("data")
    if weights is None:
        weights = find_weights("weights.pt")
    return model(weights)


def train(steps):
    net, average = nn.Linear(8, 2).cuda(), find_model()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for step in range(steps):
        loss = net(torch.randn(4, 8, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        evaluate(model=average.ema, loader=build_loader("data"))


dist.init_process_group("nccl")
train(100)
