"""A run on GPUs talks over NCCL: what stands under another backend's name is not run there."""
import torch
import torch.distributed as dist
from torch import nn


def hold():
    if dist.get_backend() == dist.Backend.NCCL:
        dist.barrier(device_ids=[torch.cuda.current_device()])  # sync: library-wait
    else:
        dist.barrier()


class Strategy:
    def __init__(self, backend: str):
        self.backend = backend

    def barrier(self):
        if self.backend == "gloo":
            dist.barrier()
        elif dist.get_backend() != "nccl":
            dist.monitored_barrier()


def train(loader, backend):
    dist.init_process_group(backend)
    model, strategy = nn.Linear(8, 8).cuda(), Strategy(backend)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        model(x.cuda(non_blocking=True)).sum().backward()
        opt.step()
        hold()
        strategy.barrier()


train([torch.randn(4, 8).pin_memory()], "nccl")
